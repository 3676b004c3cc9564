// Finds places where code next to user code relies on things that user code can replace: built-in methods and globals, iterators,
// arrays with a prototype, and optional fields, which are then looked up on the prototype.
import { relative } from 'node:path';
import ts from 'typescript';

const OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** Returns problems as `path:line what is wrong`. */
export function problemsIn(paths) {
  const program = ts.createProgram(paths, OPTIONS);
  const checker = program.getTypeChecker();
  const isOfLanguage = (symbol) =>
    symbol?.declarations?.some((node) => program.isSourceFileDefaultLibrary(node.getSourceFile())) ?? false;
  return paths.flatMap((path) => {
    const file = program.getSourceFile(path);
    const found = [];
    const visit = (node) => {
      const problem = problemOf(node, checker, isOfLanguage);
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      if (problem) found.push(`${relative('.', path)}:${line + 1} ${problem}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

function problemOf(node, checker, isOfLanguage) {
  if (ts.isForOfStatement(node)) return 'for…of runs Symbol.iterator: count the index';
  if (ts.isSpreadElement(node)) return 'a spread list runs Symbol.iterator';
  if (ts.isArrayBindingPattern(node)) return 'taking a list apart runs Symbol.iterator';
  if (ts.isArrayLiteralExpression(node)) return 'this list has the prototype of user code: newList()';
  if (ts.isRegularExpressionLiteral(node)) return 'a pattern runs RegExp.prototype.exec';
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name } = node.expression;
    const symbol = checker.getSymbolAtLocation(name);
    if (!symbol || isOfLanguage(symbol))
      return `.${name.text}() can be replaced by user code: bind it in primordials.ts`;
  }
  if (ts.isPropertyAccessExpression(node) && isOptional(checker.getSymbolAtLocation(node.name))) {
    return `.${node.name.text} may be missing, and is looked for on the prototype then: declare it as | undefined`;
  }
  if (ts.isBindingElement(node) && isOptional(propertyTaken(node, checker))) {
    return `${node.name.getText()} may be missing, and is looked for on the prototype then: declare it as | undefined`;
  }
  if (ts.isIdentifier(node) && isGlobal(node, checker, isOfLanguage)) {
    return `${node.text} can be replaced by user code: bind it in primordials.ts`;
  }
  return undefined;
}

const isOptional = (symbol) => symbol !== undefined && (symbol.flags & ts.SymbolFlags.Optional) !== 0;

/** The property that `{ a }` or `{ a: b }` reads. */
function propertyTaken(element, checker) {
  if (!ts.isObjectBindingPattern(element.parent) || element.dotDotDotToken) return undefined;
  const name = element.propertyName ?? element.name;
  return ts.isIdentifier(name) ? checker.getTypeAtLocation(element.parent).getProperty(name.text) : undefined;
}

function isGlobal(node, checker, isOfLanguage) {
  if (node.text === 'undefined' || ts.isPartOfTypeNode(node)) return false;
  const symbol = checker.getSymbolAtLocation(node);
  const value = symbol?.valueDeclaration;
  if (!value || !isOfLanguage(symbol)) return false;
  return ts.isVariableDeclaration(value) || ts.isFunctionDeclaration(value) || ts.isClassDeclaration(value);
}
