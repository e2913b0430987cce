import type { Lease } from "../../store/index.ts";
import { AppEvents } from "../../views/app-events.ts";
import { type AppEntities, type EntitySources, entitiesOf } from "../../views/entities.ts";
import { type LoadCheckSources, LoadChecks } from "../../views/load-checks.ts";
import { type AppValues, type ValueSources, valuesOf } from "../../views/values.ts";
import { type ViewSources, Views } from "../../views/views.ts";
import { announceChanges, type ChangeSources } from "../announce-changes.ts";

type ScreenNeeds = LoadCheckSources &
  Omit<ViewSources, "loadChecks"> &
  Omit<EntitySources, "views"> &
  ValueSources &
  Omit<ChangeSources, "loadChecks"> & {
    lease: Pick<Lease, "epoch" | "sequence">;
    tell(error: unknown): void;
  };

export interface Screens {
  loadChecks: LoadChecks;
  views: Views;
  events: AppEvents;
  /** Read the items and values that are announced to screens. */
  entities: AppEntities;
  values: AppValues;
}

/** What screens show, and the stream of its changes. */
export function openScreens(needs: ScreenNeeds, stack: AsyncDisposableStack): Screens {
  const loadChecks = new LoadChecks(needs);
  stack.defer(() => loadChecks.close());
  const views = new Views({ ...needs, loadChecks });
  const events = new AppEvents(needs.tell, needs.lease);
  stack.defer(() => events.close());
  const entities = entitiesOf({ ...needs, views });
  const values = valuesOf(needs);
  announceChanges({ ...needs, loadChecks }, { events, entities, values });
  return { loadChecks, views, events, entities, values };
}
