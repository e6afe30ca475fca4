import { posix } from 'node:path';
import ts from 'typescript';

/**
 * Who may import whom. A folder covers what lies below it; a file is named without extension.
 * The root of `server/` is the composition root.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  client: ['client', 'server/protocol'],
  webview: ['webview', 'server/protocol'],
  server: ['server'],
  'server/common': [],
  'server/protocol': [],
  'server/kube': ['server/common'],
  'server/metrics': ['server/common'],
  'server/etcd': ['server/common'],
  'server/store': [
    'server/common',
    'server/kube',
    'server/metrics',
    'server/etcd/interfaces',
    'server/etcd/features',
    'server/etcd/errors',
  ],
  'server/cache': ['server/common', 'server/kube', 'server/metrics', 'server/store'],
  'server/targets': [
    'server/common',
    'server/kube',
    'server/store/interfaces',
    'server/store/objectDecoder',
    'server/etcd/interfaces',
    'server/etcd/errors',
  ],
  'server/language': [
    'server/common',
    'server/kube',
    'server/store/interfaces',
    'server/store/continueToken',
    'server/store/goBase64',
    'server/store/tokenJson',
    'server/store/requestOptions',
    'server/store/resourceVersion',
    'server/store/errors',
  ],
  'server/explain': [
    'server/common',
    'server/kube',
    'server/cache',
    'server/store/interfaces',
    'server/store/errors',
    'server/store/continueToken',
    'server/store/keys',
    'server/store/listOptions',
    'server/store/narrow',
    'server/store/pageSize',
    'server/store/predicate',
    'server/store/requestOptions',
    'server/store/resourceVersion',
    'server/store/streamRule',
    'server/language/query/model',
  ],
  'server/compare': [
    'server/common',
    'server/kube/print/keyText',
    'server/store',
    'server/explain/estimateNumbers',
    'server/explain/estimatePages',
    'server/explain/estimatePlacement',
  ],
  'server/analyst': ['server/common', 'server/kube', 'server/language'],
  'server/features': [
    'server/common',
    'server/protocol',
    'server/kube',
    'server/metrics',
    'server/store',
    'server/targets',
    'server/language',
    'server/analyst/messages',
    'server/cache',
    'server/explain',
    'server/compare',
    'server/etcd/interfaces',
    'server/etcd/features',
    'server/etcd/errors',
    'server/etcd/configError',
    'server/etcd/describe',
    'server/etcd/probe',
  ],
  'server/demo': ['server/common', 'server/kube', 'server/etcd/rpc'],
  'server/cli': [
    'server/common',
    'server/kube',
    'server/metrics',
    'server/etcd',
    'server/store',
    'server/cache',
    'server/targets',
    'server/language',
    'server/explain',
    'server/compare',
    'server/demo',
  ],
};

/** Packages that only some folders may name; the first that fits decides. */
const packageOwners: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^vscode$|^vscode-languageclient/, ['client']],
  [/^vscode-/, ['server', 'server/features']],
  [/^@vscode\/webview-ui-toolkit/, ['webview']],
  [/^@grpc\/|^etcd3(\/|$)/, ['server/etcd', 'server/demo']],
];

const mutators = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
);
export const maxLines = 350;

/** The key of `mayImport` that a source path belongs to. */
function layerOf(path: string): string {
  const [top = '', folder, ...below] = path.split('/');
  return top === 'server' && below.length > 0 ? `${top}/${folder ?? ''}` : top;
}

/** Everything a file imports: statically, dynamically, for its types, or re-exported. */
function specifiersOf(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const note = (node: ts.Node | undefined): void => {
    if (node && ts.isStringLiteralLike(node)) found.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) note(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) note(node.expression);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      note(node.argument.literal);
    } else if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isRequire = ts.isIdentifier(expression) && expression.text === 'require';
      if (isRequire || expression.kind === ts.SyntaxKind.ImportKeyword) note(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function importFault(path: string, specifier: string): string | undefined {
  const layer = layerOf(path);
  if (!specifier.startsWith('.')) {
    const owners = packageOwners.find(([pattern]) => pattern.test(specifier))?.[1];
    return owners && !owners.includes(layer)
      ? `${path}: ${specifier} is not for ${layer}`
      : undefined;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const allowed = mayImport[layer];
  if (!allowed) return `${path}: no rule says what ${layer} may import`;
  const covers = (folder: string): boolean => target === folder || target.startsWith(`${folder}/`);
  const inside = layer !== 'server' && covers(layer);
  return inside || allowed.some(covers) ? undefined : `${path}: ${layer} may not import ${target}`;
}

/** The name at the root of `a.b[c].d`, when it is a name. */
function rootName(node: ts.Expression): string | undefined {
  let at = node;
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at)) at = at.expression;
  return ts.isIdentifier(at) ? at.text : undefined;
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

/** The name of what this node changes in place, such as `seen` for `seen.add(1)` or `seen[1] = 2`. */
function changedName(node: ts.Node): string | undefined {
  if (isAssignment(node)) return ts.isIdentifier(node.left) ? undefined : rootName(node.left);
  if (ts.isDeleteExpression(node)) return rootName(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const { name, expression } = node.expression;
  return mutators.has(name.text) ? rootName(expression) : undefined;
}

function stateFaults(file: ts.SourceFile): string[] {
  const faults: string[] = [];
  const constants = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name } of statement.declarationList.declarations) {
      if (!isConstant)
        faults.push(`${file.fileName}: ${name.getText(file)} is mutable module state`);
      else if (ts.isIdentifier(name)) constants.add(name.text);
    }
  }
  const visit = (node: ts.Node): void => {
    const changed = changedName(node);
    if (changed !== undefined && constants.has(changed)) {
      faults.push(`${file.fileName}: ${changed} is module state that is changed`);
    }
    if (ts.isPropertyDeclaration(node)) {
      const has = (wanted: ts.SyntaxKind): boolean =>
        node.modifiers?.some(({ kind }) => kind === wanted) ?? false;
      if (has(ts.SyntaxKind.StaticKeyword) && !has(ts.SyntaxKind.ReadonlyKeyword)) {
        faults.push(`${file.fileName}: static ${node.name.getText(file)} is mutable module state`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}

/**
 * What one source file breaks of the rules of ARCHITECTURE: imports, module state, length.
 *
 * @param path From the root of the repository, with forward slashes, such as `server/kube/x.ts`.
 */
export function faultsOf(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const imports = specifiersOf(file).flatMap((specifier) => importFault(path, specifier) ?? []);
  const lines = source.trimEnd().split('\n').length;
  const length = lines > maxLines ? [`${path}: ${lines} lines, more than ${maxLines}`] : [];
  return [...imports, ...stateFaults(file), ...length];
}
