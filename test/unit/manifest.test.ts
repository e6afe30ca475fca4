import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { isConnectedContext } from '../../client/commands/contextKeys';
import { bounds, defaultSettings, traceChoices } from '../../client/settings/validate';
import {
  commands,
  featureGates,
  kubernetesVersions,
  pages,
  panelViewType,
  SEVERITY_SETTINGS,
  serverLanguages,
  settingsSection,
} from '../../server/protocol/names';
import { FINDINGS } from '../../server/language/findings';
import { requireOrSkip } from '../support/requireOrSkip';

const root = resolve(import.meta.dirname, '../..');
const git = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
const tracked = git.status === 0 ? git.stdout.split('\0').filter(Boolean) : undefined;

const small = (findings: typeof FINDINGS) =>
  Object.fromEntries(
    Object.entries(findings).map(([code, { severity, about }]) => [
      code,
      { severity, about: about.replace(/^./, (first) => first.toLowerCase()) },
    ]),
  );

/** Of a query file, in either way of writing one. */
const inQueries = String.raw`editorLangId == etcdlist || resourceFilename =~ /\.etcdlist\.ya?ml$/i`;
const inObjects = 'resourceScheme == etcd-list';

describe('package.json', () => {
  it('contributes the commands that the code names, and no others', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    expect(contributed.toSorted()).toEqual(Object.values<string>(commands).toSorted());
  });

  it('contributes the settings that the code names, with their types, defaults and choices', () => {
    const { properties } = manifest.contributes.configuration;
    const contributed = Object.entries(properties).map(([id, { type, default: value }]) => [
      id,
      type === 'integer' ? 'number' : type,
      value,
    ]);
    const named = Object.entries(defaultSettings).map(([name, value]: [string, unknown]) => [
      `${settingsSection}.${name}`,
      Array.isArray(value) ? 'array' : typeof value,
      value,
    ]);
    expect(contributed).toEqual(named);
    expect(properties['etcdList.trace.server'].enum).toEqual(traceChoices);
    const severities = Object.entries(properties['etcdList.diagnostics.severity'].properties).map(
      ([code, { enum: choices, default: severity, description }]) => {
        expect(choices).toEqual(SEVERITY_SETTINGS);
        return [
          code,
          {
            severity,
            about: description.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, ''),
          },
        ];
      },
    );
    expect(Object.fromEntries(severities)).toEqual(small(FINDINGS));
    expect(properties['etcdList.kubernetesVersion'].enum).toEqual(kubernetesVersions);
    const gates = properties['etcdList.featureGates'];
    expect([gates.additionalProperties, Object.keys(gates.properties)]).toEqual([
      false,
      featureGates,
    ]);
    for (const [name, bound] of Object.entries(bounds)) {
      expect(
        Object.entries(properties).find(([id]) => id === `etcdList.${name}`)?.[1],
      ).toMatchObject(bound);
    }
  });

  it('is activated by hovers in the languages of the default setting, by those of the server, by its panel, and by nothing else', () => {
    const languages = [...new Set([...defaultSettings.hoverLanguages, ...serverLanguages])];
    expect(manifest.activationEvents).toEqual([
      ...languages.map((language) => `onLanguage:${language}`),
      `onWebviewPanel:${panelViewType}`,
    ]);
  });

  it('keeps palette entries where they make sense, by keys that the code sets', () => {
    const known = new Set<string>(Object.values(commands));
    for (const { command, when } of manifest.contributes.menus.commandPalette) {
      expect(known.has(command)).toBe(true);
      expect([isConnectedContext, 'false', inQueries, inObjects]).toContain(when);
    }
  });

  it('offers what is done with a query in query files alone, and runs it by one key', () => {
    const { commandPalette } = manifest.contributes.menus;
    const offered = commandPalette.flatMap(({ command, when }) =>
      when === inQueries ? [command] : [],
    );
    expect(offered.toSorted()).toEqual(
      Object.values(commands)
        .filter((command) => /Quer(?:y|ies)/.test(command))
        .toSorted(),
    );
    expect(offered.length).toBeGreaterThan(5);
    const keys = manifest.contributes.keybindings;
    expect(keys).toEqual([
      {
        command: commands.runQuery,
        key: 'ctrl+enter',
        mac: 'cmd+enter',
        when: inQueries
          .split(' || ')
          .map((one) => `editorTextFocus && ${one}`)
          .join(' || '),
      },
    ]);
  });

  it('offers snippets where they are asked for, and not within a line', () => {
    const { configurationDefaults } = manifest.contributes;
    expect(configurationDefaults['[etcdlist]']['editor.snippetSuggestions']).toBe('none');
  });

  it('has explanations wrapped by the editor, by the name that their pages have', () => {
    const { languages, configurationDefaults } = manifest.contributes;
    const [pattern] = languages.flatMap(({ filenamePatterns = [] }) => filenamePatterns);
    expect(pattern).toBe(`${pages.folder}/* ${pages.explanation}`);
    expect(configurationDefaults['[etcdlist-explanation]']['editor.wordWrap']).toBe('on');
  });

  it('contributes colours, brackets, snippets and a schema of query files, which are there', () => {
    const { languages, grammars, snippets, yamlValidation } = manifest.contributes;
    expect(languages.map(({ id }) => id)).toEqual(['etcdlist', 'etcdlist-explanation']);
    expect([...grammars, ...snippets].map(({ language }) => language)).toEqual(
      ['etcdlist', 'etcdlist'], // prettier-ignore
    );
    const files = [
      ...languages.flatMap(({ configuration, icon }) =>
        icon === undefined ? [] : [configuration, icon.light, icon.dark],
      ),
      ...[...grammars, ...snippets].map(({ path }) => path),
      ...yamlValidation.map(({ url }) => url),
    ];
    for (const file of files) expect(statSync(join(root, file)).size).toBeGreaterThan(0);
    const grammar = readFileSync(join(root, grammars[0]!.path), 'utf8');
    expect(JSON.parse(grammar)).toMatchObject({ scopeName: grammars[0]?.scopeName });
    expect(yamlValidation.flatMap(({ fileMatch }) => fileMatch)).toEqual([
      '*.etcdlist.yaml',
      '*.etcdlist.yml',
    ]);
  });

  it('takes no setting that leads to the network from a folder that is not trusted', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    const harmless = [
      'etcdList.hoverLanguages',
      'etcdList.diagnostics.severity',
      'etcdList.kubernetesVersion',
    ];
    expect([...restrictedConfigurations, ...harmless].toSorted()).toEqual(
      Object.keys(manifest.contributes.configuration.properties).toSorted(),
    );
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
