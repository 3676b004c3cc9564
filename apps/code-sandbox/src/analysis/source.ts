import { parse } from 'acorn';
import { analyze, type Variable } from 'eslint-scope';
import type { Identifier, Program } from 'estree';

/** A module of the bundle, parsed, with the variable behind every name. */
export interface ModuleSource {
  /** Absent for the code itself. */
  importName: string | undefined;
  program: Program;
  /** Names of the language have none. */
  variables: ReadonlyMap<Identifier, Variable>;
}

/** Code with more tokens than this is not analysed. */
export const TOKENS_MAX = 20_000;

export class TooLongError extends Error {}

/** Throws {@link TooLongError}, SyntaxError if it does not parse, and RangeError if it nests too deeply. */
export function parseModule(code: string, importName?: string): ModuleSource {
  let tokens = 0;
  const program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    ranges: true,
    onToken: () => {
      tokens += 1;
      if (tokens > TOKENS_MAX) throw new TooLongError();
    },
  }) as unknown as Program;
  return { importName, program, variables: variablesOf(program) };
}

function variablesOf(program: Program): Map<Identifier, Variable> {
  const variables = new Map<Identifier, Variable>();
  // A later version of the language adds no scopes that the parser's nodes could hold.
  for (const scope of analyze(program, { ecmaVersion: 2024, sourceType: 'module' }).scopes) {
    for (const variable of scope.variables) {
      for (const identifier of variable.identifiers) variables.set(identifier, variable);
    }
    for (const { identifier, resolved } of scope.references) {
      if (resolved && identifier.type === 'Identifier') variables.set(identifier, resolved);
    }
  }
  return variables;
}

/** Whether the variable exists once for the module, in a block at its top level included. */
export const isOfModule = ({ scope }: Variable): boolean => scope.variableScope.type === 'module';
