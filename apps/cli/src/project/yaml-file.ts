import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';

/** Where a value stands. */
export interface Place {
  file: string;
  line: number;
}

/** A mistake in a file, and how to correct it. */
export interface FileProblem extends Place {
  message: string;
}

/** In the form that editors and terminals open: `weir.yaml:12: …`. */
export const said = ({ file, line }: Place, message: string): string => `${file}:${line}: ${message}`;

/** A file that is not as it should be. Names every problem. */
export class ProjectError extends Error {
  override name = 'ProjectError';
  constructor(readonly problems: FileProblem[]) {
    super(problems.map((problem) => said(problem, problem.message)).join('\n'));
  }
}

/** One YAML file, whose values know their lines. */
export class YamlFile {
  private readonly lines = new LineCounter();
  private readonly document: Document;

  constructor(
    readonly file: string,
    text: string,
  ) {
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    const problems = this.document.errors.map(({ message, pos }) => ({
      ...{ file, line: this.lines.linePos(pos[0]).line },
      message: `${message}. Correct the YAML`,
    }));
    if (problems.length > 0) throw new ProjectError(problems);
  }

  /** Whether it holds nothing, or comments only. */
  get isEmpty(): boolean {
    return this.document.contents === null;
  }

  /** Throws a ProjectError that names each value that does not fit. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
    const result = schema.safeParse(this.document.toJS() ?? {});
    if (result.success) return result.data;
    const problems = result.error.issues.flatMap((issue) => this.problemsOf(issue));
    throw new ProjectError(problems.toSorted((one, other) => one.line - other.line));
  }

  place(path: readonly PropertyKey[]): Place {
    return { file: this.file, line: this.lineOf(path) };
  }

  problem(path: readonly PropertyKey[], message: string): FileProblem {
    return { ...this.place(path), message };
  }

  /** The line of the value, or of the closest one around it. */
  private lineOf(path: readonly PropertyKey[]): number {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = this.document.getIn(path.slice(0, length), true);
      const range = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
      if (Array.isArray(range)) return this.lines.linePos(Number(range[0])).line;
    }
    return 1;
  }

  /** The line of the key itself. Its value may begin below. */
  private lineOfKey(around: readonly PropertyKey[], key: string): number {
    const node: unknown = this.document.getIn(around, true);
    const [pair] = isMap(node) ? node.items.filter((one) => isScalar(one.key) && one.key.value === key) : [];
    const [start] = (isScalar(pair?.key) && pair.key.range) || [];
    return start === undefined ? this.lineOf(around) : this.lines.linePos(start).line;
  }

  private problemsOf(issue: z.core.$ZodIssue): FileProblem[] {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        ...{ file: this.file, line: this.lineOfKey(issue.path, key) },
        message: `${[...issue.path, key].join('.')} is not a setting: remove or rename it`,
      }));
    return [this.problem(issue.path, `${issue.path.join('.') || 'the file'}: ${hint(issue)}`)];
  }
}

function hint(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message))
    return `is missing: add it (${issue.expected})`;
  return `${issue.message}. Change it`;
}
