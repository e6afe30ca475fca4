import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { commands } from '../../server/protocol/names';
import { requireOrSkip } from '../support/requireOrSkip';

const root = resolve(import.meta.dirname, '../..');
const git = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
const tracked = git.status === 0 ? git.stdout.split('\0').filter(Boolean) : undefined;

describe('package.json', () => {
  it('contributes the commands that the code names, and no others', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    expect(contributed.toSorted()).toEqual(Object.values<string>(commands).toSorted());
  });

  it('supports the VS Code whose types it is compiled with', () => {
    const types = manifest.devDependencies['@types/vscode'];
    expect(manifest.engines.vscode).toBe(`^${types.split('.').slice(0, 2).join('.')}.0`);
  });

  it('depends on the four packages it is built around', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(
      expect.arrayContaining([
        '@vscode/webview-ui-toolkit',
        'etcd3',
        'vscode-languageclient',
        'vscode-languageserver',
      ]),
    );
  });
});

describe('the lock file', () => {
  it('holds no download addresses', () => {
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
    expect(lock.includes('"integrity"')).toBe(true);
    expect(/"resolved":\s*"https?:/.exec(lock)).toBeNull();
  });
});

describe.skipIf(requireOrSkip('git', tracked, 'the tracked files come from it'))(
  'tracked files',
  () => {
    it('name no path of the machine they were written on', () => {
      const generic = /(?<![\w.-])\/(?:home|Users)\/[a-z]/;
      const here = [root, homedir()].filter((path) => path.length > 1).map((path) => `${path}/`);
      const guilty = (tracked ?? []).filter((file) => {
        const text = readFileSync(join(root, file), 'utf8');
        return generic.test(text) || here.some((path) => text.includes(path));
      });
      expect(guilty).toEqual([]);
    });
  },
);
