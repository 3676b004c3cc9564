import { parse } from 'acorn';

/** Says why the text is not a JavaScript module. Undefined if it is one. Executes nothing. */
export function syntaxProblem(code: string): string | undefined {
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : undefined;
  }
}
