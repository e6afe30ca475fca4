import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../support/layers';

const root = resolve(import.meta.dirname, '../..');

function sources(): string[] {
  return ['client', 'server', 'webview'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file).replaceAll('\\', '/')),
  );
}

describe('the sources', () => {
  it('keep to who may import whom, hold no module state, and are short', () => {
    const files = sources();
    expect(files).toContain('server/store/interfaces.ts');
    const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')));
    expect(faults).toEqual([]);
  });
});

describe('the rules', () => {
  it.each([
    ['server/common/a.ts', "import { x } from '../kube/x';"],
    ['server/protocol/a.ts', "import type { x } from '../common/x';"],
    ['server/kube/a.ts', "export * from '../store/x';"],
    ['server/kube/sub/a.ts', "export { x } from '../../etcd/x';"],
    ['server/metrics/a.ts', "const x = await import('../kube/x');"],
    ['server/etcd/a.ts', "type X = import('../kube/x').X;"],
    ['server/store/a.ts', "import { x } from '../etcd/reader';"],
    ['server/store/a.ts', "import { x } from '../etcd/errorsOfOthers';"],
    ['server/cache/a.ts', "import { x } from '../etcd/interfaces';"],
    ['server/language/a.ts', "import { x } from '../store/list';"],
    ['server/explain/a.ts', "import { x } from '../store/list';"],
    ['server/explain/a.ts', "import { x } from '../etcd/interfaces';"],
    ['server/language/a.ts', "import { x } from '../cache/delegation';"],
    ['server/features/a.ts', "import { x } from '../etcd/connect';"],
    ['server/features/a.ts', "import { x } from '../cli/x';"],
    ['server/targets/a.ts', "import { x } from '../store/list';"],
    ['server/demo/a.ts', "import { x } from '../etcd/reader';"],
    ['server/cli/a.ts', "import { x } from '../protocol/names';"],
    ['server/cli/a.ts', "import { x } from '../features/x';"],
    ['server/cli/a.ts', "import { x } from 'vscode-languageserver';"],
    ['server/cli/a.ts', "import { x } from '../../test/support/x';"],
    ['server/main.ts', "import { x } from '../test/support/x';"],
    ['server/main.ts', "import { x } from '../client/x';"],
    ['server/newcomer/a.ts', "import { x } from '../common/x';"],
    ['client/a.ts', "import { x } from '../server/common/bytes';"],
    ['webview/a.ts', "import { x } from '../client/x';"],
    ['server/store/a.ts', "import { window } from 'vscode';"],
    ['webview/a.ts', "import type { Uri } from 'vscode';"],
    ['server/store/a.ts', "import { status } from '@grpc/grpc-js';"],
    ['server/cli/a.ts', "const x = require('etcd3');"],
    ['client/a.ts', "import x = require('etcd3/lib/errors');"],
    ['server/kube/a.ts', 'let count = 0;'],
    ['server/kube/a.ts', 'export var count = 0;'],
    ['server/kube/a.ts', 'const seen = new Set<string>(); export const f = () => seen.add("a");'],
    ['server/kube/a.ts', 'const all: number[] = []; function f() { all.push(1); }'],
    ['server/kube/a.ts', 'const all: number[] = []; function f() { all[0] = 1; }'],
    ['server/kube/a.ts', 'const one = { a: { b: 1 } }; function f() { one.a.b += 1; }'],
    ['server/kube/a.ts', 'const one: Record<string, 1> = {}; function f() { delete one["a"]; }'],
    ['server/kube/a.ts', 'class A { static count = 0; }'],
    ['server/kube/a.ts', '// a line\n'.repeat(351)],
  ])('refuse, in %s: %s', (path, source) => {
    expect(faultsOf(path, source)).toHaveLength(1);
  });

  it.each([
    ['server/kube/a.ts', "import { x } from '../common/x'; import { y } from './b/y';"],
    ['server/store/a.ts', "import type { x } from '../etcd/interfaces'; import '../etcd/errors';"],
    ['server/explain/a.ts', "import '../cache/serving'; import '../store/narrow';"],
    ['server/demo/a.ts', "import '../etcd/rpc/codec'; import '@grpc/grpc-js'; import '../kube/x';"],
    ['server/etcd/a.ts', "import { Etcd3 } from 'etcd3'; import 'etcd3/lib/errors';"],
    [
      'server/cli/a.ts',
      "import '../store/x'; import '../etcd/x'; import '../demo/x'; import 'yaml';",
    ],
    [
      'server/main.ts',
      "import './features/x'; import './etcd/x'; import 'vscode-languageserver/node';",
    ],
    [
      'client/a.ts',
      "import { window } from 'vscode'; import { x } from '../server/protocol/names';",
    ],
    ['webview/a.ts', "import '@vscode/webview-ui-toolkit'; import './b';"],
    ['server/kube/a.ts', 'declare const x: number; const all = new Set(["a"]); all.has("b");'],
    ['server/kube/a.ts', 'function f() { let i = 0; const seen = new Set(); seen.add(i); }'],
    ['server/kube/a.ts', 'class A { static readonly limit = 1; private count = 0; }'],
    ['server/kube/a.ts', '// a line\n'.repeat(350)],
  ])('allow, in %s: %s', (path, source) => {
    expect(faultsOf(path, source)).toEqual([]);
  });
});
