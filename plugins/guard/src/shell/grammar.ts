import {
  type AssignmentPrefix,
  forEachChild,
  parse,
  type Redirection,
  type Command as SyntaxCommand,
  type SyntaxNode,
  type Word as SyntaxWord,
} from "unbash";
import { type Command, expandBraces, Pipes, type Redirect, type Step } from "./parse.ts";
import { plainWord, substitutionsIn, type Word, WordReader } from "./words.ts";

/**
 * Reads a script by the whole grammar of bash, as a second opinion to `parse.ts`: what one of them sees is judged. The
 * library says where commands, redirections and words are; the words themselves are read as everywhere here. It was
 * chosen by measurement: unbash 6.0.4 has no dependencies, takes 0.03 ms a command and 12 ms to load, and at most 33 ms
 * for 40,000 characters made to slow it down.
 *
 * @throws RangeError for what is nested so deeply that the stack does not hold it
 * @throws PipedTooFar
 */
export function grammarSteps(source: string): Step[] {
  const reader = new GrammarReader(source);
  reader.visit(parse(source), []);
  return reader.steps;
}

class GrammarReader {
  readonly steps: Step[] = [];
  readonly #source: string;
  readonly #pipes = new Pipes();

  constructor(source: string) {
    this.#source = source;
  }

  /** Adds the steps of a node. Returns its commands: what a pipe after it would read from. */
  visit(node: SyntaxNode, upstream: readonly Command[]): Command[] {
    switch (node.type) {
      case "Command":
        return [this.#command(node, upstream)];
      case "Pipeline": {
        const before: Command[] = [];
        for (const part of node.commands) {
          before.push(...this.visit(part, this.#pipes.after(upstream, before)));
        }
        return before;
      }
      case "Subshell": {
        this.steps.push({ kind: "enter" });
        const inside = this.visit(node.body, upstream);
        this.steps.push({ kind: "leave" });
        return inside;
      }
      case "Redirected": {
        const command = this.#emptyCommand([]);
        for (const redirect of node.redirects) this.#redirect(command, redirect);
        this.steps.push({ kind: "command", command });
        const inside = this.visit(node.command, upstream);
        // What feeds the whole construct feeds the commands in it.
        for (const one of inside) one.input ??= command.input;
        return inside;
      }
      case "Word": {
        // A word outside of commands, as in `for x in …`, may still hold substitutions.
        const command = this.#emptyCommand([]);
        command.inputSubstitutions.push(...this.#word(node).substitutions);
        if (command.inputSubstitutions.length > 0) this.steps.push({ kind: "command", command });
        return [];
      }
      default: {
        const inside: Command[] = [];
        forEachChild(node, (child) => {
          inside.push(...this.visit(child, upstream));
        });
        return inside;
      }
    }
  }

  #command(node: SyntaxCommand, upstream: readonly Command[]): Command {
    const command = this.#emptyCommand(upstream);
    const parts = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix];
    for (const part of parts) {
      if (part.type === "Word" || part.type === "Assignment") {
        command.words.push(...expandBraces(this.#word(part)));
      } else this.#redirect(command, part);
    }
    this.steps.push({ kind: "command", command });
    return command;
  }

  #redirect(command: Command, redirect: Redirection): void {
    if (redirect.type === "HereDoc") {
      command.input = redirect.body.text;
      if (!redirect.delimiter?.quoted)
        command.inputSubstitutions.push(...substitutionsIn(redirect.body.text));
    } else if (redirect.target) {
      const target = this.#word(redirect.target);
      if (redirect.type === "HereString") {
        command.input = target.text;
        command.inputSubstitutions.push(...target.substitutions);
      } else command.redirects.push({ operator: redirect.operator, target } satisfies Redirect);
    }
  }

  /** The word as it is read everywhere here; where that reading ends too early, as the library has it. */
  #word(node: SyntaxWord | AssignmentPrefix): Word {
    const raw = this.#source.slice(node.pos, node.end);
    const reader = new WordReader(raw);
    const word = reader.readWord();
    const inner = scriptsIn(node);
    if (word && reader.position >= raw.length) {
      const substitutions =
        inner.length === word.substitutions.length ? inner : [...word.substitutions, ...inner];
      return { ...word, substitutions };
    }
    const text = node.type === "Word" ? node.value : node.text;
    return { ...plainWord(text), dynamic: true, substitutions: [...substitutionsIn(raw), ...inner] };
  }

  #emptyCommand(upstream: readonly Command[]): Command {
    return {
      words: [],
      redirects: [],
      input: null,
      inputSubstitutions: [],
      upstream: this.#pipes.after(upstream),
    };
  }
}

/** Sources of the substitutions in a node, not those within each other. Backticks are left out: their text is escaped. */
function scriptsIn(node: SyntaxNode): string[] {
  const isScript = node.type === "CommandExpansion" || node.type === "ProcessSubstitution";
  if (isScript) return node.text.startsWith("`") ? [] : [node.text.slice(2, -1)];
  const found: string[] = [];
  forEachChild(node, (child) => {
    found.push(...scriptsIn(child));
  });
  return found;
}
