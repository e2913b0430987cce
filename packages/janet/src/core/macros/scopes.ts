import { show } from "../../print/describe.ts";
import { Kw, kw, Sym } from "../../values/names.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Registrar } from "../registrar.ts";
import { ifLet } from "./conditions.ts";
import {
  body,
  brackets,
  type CoreValue,
  def,
  fresh,
  idempotent,
  itemAt,
  itemsOf,
  lambda,
  list,
  S,
} from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Forms that run their body in a fiber: `try`, `defer`, `prompt`, `with-dyns`, … */
export function installScopes(core: Registrar, value: CoreValue): void {
  const make = new ScopeForms(value);
  core.macro(
    "try",
    2,
    2,
    "(try body catch)",
    "Evaluates the body; on an error evaluates the catch clause `([err &opt fiber] …)`.",
    ([form = null, clause = null]) => make.attempt(form, clause),
  );
  core.macro(
    "protect",
    0,
    any,
    "(protect & body)",
    "Evaluates the body and gives a tuple: whether it went well, and its value or the error.",
    (forms) => make.protect(forms),
  );
  core.macro(
    "defer",
    1,
    any,
    "(defer form & body)",
    "Evaluates the body and then the form, also when the body ends by an error or a return.",
    ([form = null, ...forms]) => make.finallyDo(form, forms),
  );
  core.macro(
    "edefer",
    1,
    any,
    "(edefer form & body)",
    "Evaluates the body, and the form only when the body does not end normally.",
    ([form = null, ...forms]) => {
      const [fiber, result] = [fresh(), fresh()];
      return body(
        ...make.run(fiber, result, "edefer", forms, "ti"),
        list(S.if, make.isDead(fiber), result, body(form, list(value("propagate"), result, fiber))),
      );
    },
  );
  core.macro(
    "prompt",
    1,
    any,
    "(prompt tag & body)",
    "Evaluates the body; `(return tag value)` within it ends it at once with this value.",
    ([tag = null, ...forms]) => make.prompt(tag, forms),
  );
  core.macro(
    "label",
    1,
    any,
    "(label name & body)",
    "As prompt, with a new tag that is bound to the name.",
    ([name = null, ...forms]) => body(def(name, new JBuffer()), make.prompt(name, forms)),
  );
  core.macro(
    "with",
    1,
    any,
    "(with [binding ctor &opt dtor] & body)",
    "Binds a resource, evaluates the body and then closes the resource with dtor, by default `:close`.",
    ([head = null, ...forms]) => {
      const [name, made, close] = resource(head);
      return body(def(name, made), make.finallyDo(list(close, name), forms));
    },
  );
  core.macro(
    "when-with",
    1,
    any,
    "(when-with [binding ctor &opt dtor] & body)",
    "As with, but gives nil without evaluating the body when the resource is nil or false.",
    ([head = null, ...forms]) => {
      const [name, made, close] = resource(head);
      return ifLet(brackets(name, made), make.finallyDo(list(close, name), forms), null);
    },
  );
  core.macro(
    "if-with",
    2,
    3,
    "(if-with [binding ctor &opt dtor] then &opt else)",
    "As with for one form, and another form for a resource that is nil or false.",
    ([head = null, then = null, otherwise = null]) => {
      const [name, made, close] = resource(head);
      return ifLet(brackets(name, made), make.finallyDo(list(close, name), [then]), otherwise);
    },
  );
  core.macro(
    "with-dyns",
    1,
    any,
    "(with-dyns bindings & body)",
    "Evaluates the body in a fiber with these dynamic bindings added.",
    ([bindings = null, ...forms]) => make.withDyns(bindings, forms),
  );
  core.macro(
    "with-env",
    1,
    any,
    "(with-env env & body)",
    "Evaluates the body in a fiber with this table as its environment.",
    ([env = null, ...forms]) =>
      list(value("resume"), list(value("fiber/new"), lambda("with-env", [], forms), kw(""), env)),
  );
  core.macro(
    "with-vars",
    1,
    any,
    "(with-vars vars & body)",
    "Evaluates the body with variables set anew and puts their old values back, whatever way the body ends.",
    ([vars = null, ...forms]) => make.withVars(vars, forms),
  );
  core.macro(
    "fiber-fn",
    1,
    any,
    "(fiber-fn flags & body)",
    "A fiber that runs the body, with the given signal flags.",
    ([flags = null, ...forms]) => list(value("fiber/new"), lambda("fiber-fn", [], forms), flags),
  );
}

class ScopeForms {
  private readonly value: CoreValue;
  constructor(value: CoreValue) {
    this.value = value;
  }

  /** The definitions that run forms in a fiber: the fiber and what it gave. */
  run(fiber: Sym, result: Sym, name: string, forms: readonly Value[], flags: string): Value[] {
    return [
      def(fiber, list(this.value("fiber/new"), lambda(name, [], forms), kw(flags))),
      def(result, list(this.value("resume"), fiber)),
    ];
  }

  isDead(fiber: Sym): Value {
    return this.hasStatus(fiber, "dead");
  }

  private hasStatus(fiber: Sym, status: string): Value {
    return list(this.value("="), list(this.value("fiber/status"), fiber), kw(status));
  }

  finallyDo(form: Value, forms: readonly Value[]): Value {
    const [fiber, result] = [fresh(), fresh()];
    return body(
      ...this.run(fiber, result, "defer", forms, "ti"),
      form,
      list(S.if, this.isDead(fiber), result, list(this.value("propagate"), result, fiber)),
    );
  }

  attempt(form: Value, clause: Value): Value {
    const [head, ...forms] = clauseItems(clause);
    if (!(head instanceof Tuple || head instanceof JArray))
      panic("the first element of `catch` must be a tuple or array");
    const [error = null, held = null] = head.items;
    const [fiber, result] = [fresh(), fresh()];
    return body(
      ...this.run(fiber, result, "try", [form], "ie"),
      list(
        S.if,
        this.hasStatus(fiber, "error"),
        body(
          ...(error === null ? [] : [def(error, result)]),
          ...(held === null ? [] : [def(held, fiber)]),
          ...forms,
        ),
        result,
      ),
    );
  }

  protect(forms: readonly Value[]): Value {
    const [fiber, result] = [fresh(), fresh()];
    return body(
      ...this.run(fiber, result, "protect", forms, "ie"),
      list(this.value("tuple"), list(S.if, this.hasStatus(fiber, "error"), false, true), result),
    );
  }

  /** The fiber gives `[tag value]` by itself too, so both ways out look the same. */
  prompt(tag: Value, forms: readonly Value[]): Value {
    const [fiber, result, target, payload] = [fresh(), fresh(), fresh(), fresh()];
    const held = idempotent(tag) ? tag : fresh();
    return body(
      ...(held === tag ? [] : [def(held, tag)]),
      ...this.run(fiber, result, "prompt", [list(this.value("tuple"), held, body(...forms))], "i0"),
      def(brackets(target, payload), result),
      list(S.if, list(this.value("="), held, target), payload, list(this.value("propagate"), result, fiber)),
    );
  }

  withDyns(bindings: Value, forms: readonly Value[]): Value {
    const sets: Value[] = [];
    for (let at = 0; at < itemsOf(bindings).length; at += 2)
      sets.push(list(this.value("setdyn"), itemAt(bindings, at), itemAt(bindings, at + 1)));
    return list(
      this.value("resume"),
      list(this.value("fiber/new"), lambda("with-dyns", [], [...sets, ...forms]), kw("p")),
    );
  }

  withVars(vars: Value, forms: readonly Value[]): Value {
    const items = itemsOf(vars);
    if (items.length % 2 === 1) panic("expected even number of argument to vars");
    const [saves, sets, restores]: [Value[], Value[], Value[]] = [[], [], []];
    for (let at = 0; at < items.length; at += 2) {
      const name = items[at] as Value;
      const saved = fresh();
      saves.push(def(saved, name));
      sets.push(list(S.set, name, items[at + 1] as Value));
      restores.push(list(S.set, name, saved));
    }
    const [fiber, result] = [fresh(), fresh()];
    return body(
      ...saves,
      ...this.run(fiber, result, "with-vars", [...sets, ...forms], "ti"),
      ...restores,
      list(S.if, this.isDead(fiber), result, list(this.value("propagate"), result, fiber)),
    );
  }
}

/** Name, constructor and destructor of `[binding ctor &opt dtor]`. */
function resource(head: Value): [Value, Value, Value] {
  const [name = null, made = null, close = null] = itemsOf(head);
  return [name, made, close ?? kw("close")];
}

function clauseItems(clause: Value): readonly Value[] {
  if (clause instanceof Tuple || clause instanceof JArray) return clause.items;
  const iterable =
    typeof clause === "string" ||
    clause instanceof Sym ||
    clause instanceof Kw ||
    clause instanceof JBuffer ||
    clause instanceof Struct ||
    clause instanceof Table;
  return iterable ? [] : panic(`expected iterable type, got ${show(clause)}`);
}
