// Finds the patterns of a source file: literals, RegExp(…), texts that match, matchAll and search convert to a pattern, and
// `pattern` of a JSON Schema, which ajv compiles.
import ts from 'typescript';

const MAKES_PATTERNS = ['match', 'matchAll', 'search'];
/** `// linear: why`, on the line of the pattern or the line before. */
const ANNOTATION = '// linear: ';

/**
 * Returns each pattern with its line and either `source` and `flags`, or `dynamic` if the text is created at run time. `reason`
 * is set when annotated.
 */
export function patternsIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found = [];
  const add = (node, pattern) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const reason = reasonIn(lines[line]) ?? reasonIn(lines[line - 1]);
    found.push({ path, line: line + 1, ...pattern, ...(reason && { reason }) });
  };
  const visit = (node) => {
    const pattern = patternOf(node, file);
    if (pattern) add(node, pattern);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function reasonIn(line = '') {
  const at = line.indexOf(ANNOTATION);
  return at < 0 ? undefined : line.slice(at + ANNOTATION.length).trim() || undefined;
}

function patternOf(node, file) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (isConstruction(node, file)) {
    const [source, flags] = node.arguments ?? [];
    return made(source, file, flags && ts.isStringLiteralLike(flags) ? flags.text : '');
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [given] = node.arguments;
    const isMaker = MAKES_PATTERNS.includes(node.expression.name.text) && node.arguments.length === 1;
    return isMaker && !isPattern(given, file) ? made(given, file, '') : undefined;
  }
  if (
    ts.isPropertyAssignment(node) &&
    node.name.getText(file) === 'pattern' &&
    ts.isStringLiteralLike(node.initializer)
  ) {
    return { source: node.initializer.text, flags: 'u' };
  }
  return undefined;
}

const made = (node, file, flags) =>
  node && ts.isStringLiteralLike(node) ? { source: node.text, flags } : { dynamic: node ? node.getText(file) : '' };

const isConstruction = (node, file) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp';

/**
 * Whether a node is a literal or construction, which are found separately, or a choice between such. Also true for a constant of
 * the file that holds a literal.
 */
function isPattern(node, file) {
  if (ts.isRegularExpressionLiteral(node) || isConstruction(node, file)) return true;
  if (ts.isConditionalExpression(node)) return isPattern(node.whenTrue, file) && isPattern(node.whenFalse, file);
  return ts.isIdentifier(node) && constantsOf(file).has(node.text);
}

const known = new WeakMap();
function constantsOf(file) {
  const names = known.get(file) ?? new Set();
  if (known.has(file)) return names;
  known.set(file, names);
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isRegularExpressionLiteral(node.initializer)) {
      names.add(node.name.getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}
