import type { RecordEvent } from "../../../../contract/index.ts";
import type { RecordSink, TurnRecorder } from "../../record/recorder.ts";
import { Recording } from "../../record/recording.ts";

/** Reports each event after it was recorded. Events after the place where the turn was cut off are ignored. */
export class Following extends Recording {
  /** Resolves when the replay has reached the place where the turn was cut off; never for a complete turn. */
  readonly cutOff: Promise<void>;
  readonly events: RecordEvent[] = [];
  private readonly told: (recorder: TurnRecorder, event: RecordEvent) => void;
  private readonly most: number;
  private readonly cut: () => void;

  constructor(
    options: ConstructorParameters<typeof Recording>[0],
    told: (recorder: TurnRecorder, event: RecordEvent) => void,
    most = Number.POSITIVE_INFINITY,
  ) {
    super(options);
    this.told = told;
    this.most = most;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.cutOff = promise;
    this.cut = resolve;
  }

  override begin(...[turnId, place, sink]: Parameters<Recording["begin"]>): TurnRecorder {
    const following: RecordSink = {
      take: (event, turn) => {
        if (this.events.length >= this.most) return;
        this.events.push(event);
        sink.take(event, turn);
        this.told(recorder, event);
        if (this.events.length >= this.most) this.cut();
      },
      stream: (id, fact) => sink.stream(id, fact),
    };
    const recorder = super.begin(turnId, place, following);
    return recorder;
  }
}
