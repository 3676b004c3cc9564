import type { ArrowFunctionExpression, FunctionDeclaration, FunctionExpression } from 'estree';
import { type Followed, isSame, join, PLAIN, type Value } from './values.js';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/** The known facts about a function of the bundle. They only grow, so that the analysis comes to an end. */
export class Routine implements Followed {
  /** The arguments of its calls. */
  readonly parameters: Value[] = [];
  returns: Value = PLAIN;
  /** It may be called from where the analysis does not look. So it gets anything of a run, and may return nothing else. */
  isLoose = false;
  /** It runs while the module loads, which a context that stays does only once. */
  runsAtLoad = false;

  constructor(
    readonly node: FunctionNode,
    private readonly grew: () => void,
  ) {}

  /** The caller gets a promise or an iterator. */
  get isWrapped(): boolean {
    return Boolean(this.node.async) || Boolean(this.node.generator);
  }

  loosen(): void {
    if (this.isLoose) return;
    this.isLoose = true;
    this.grew();
  }

  load(): void {
    if (this.runsAtLoad) return;
    this.runsAtLoad = true;
    this.grew();
  }

  take(index: number, value: Value): void {
    const before = this.parameters[index] ?? PLAIN;
    const after = join(before, value);
    this.parameters[index] = after;
    if (!isSame(before, after)) this.grew();
  }

  give(value: Value): void {
    const before = this.returns;
    this.returns = join(before, value);
    if (!isSame(before, this.returns)) this.grew();
  }
}
