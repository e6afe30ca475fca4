import { describe, expect, it } from 'vitest';
import { CodeActionKind, type CodeAction, type Diagnostic } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analyses } from '../../../../server/features/language/analyses';
import { SiteCounts } from '../../../../server/features/language/siteCounts';
import { ACTION_KINDS, codeActions } from '../../../../server/features/language/codeActions';
import type { LabelIndex } from '../../../../server/language/index/labelIndex';
import { openDocument } from '../../../../server/language/open';
import { commands } from '../../../../server/protocol/names';
import { indexOf, times } from '../../language/index/support';
import { analystOfDesk, storedIn } from './support';

interface Given {
  readonly name?: string;
  readonly only?: CodeActionKind[];
  readonly index?: LabelIndex;
  readonly diagnostics?: Diagnostic[];
  /** The whole document is chosen, not the place alone. */
  readonly wide?: boolean;
}

/** Actions at `|`, and the document. */
async function actionsAt(marked: string, given: Given = {}) {
  const { name = 'a.yaml', only, index, diagnostics = [], wide = false } = given;
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const document = TextDocument.create(`file:///a/${name}`, 'yaml', 1, text);
  const position = document.positionAt(offset);
  const parts = { analyst: analystOfDesk().analyst, stored: storedIn(index) };
  const actions = await codeActions(
    {
      ...parts,
      analyses: new Analyses(parts.analyst),
      severities: () => ({}),
      counts: new SiteCounts(),
    },
    {
      document,
      range: wide
        ? { start: document.positionAt(0), end: document.positionAt(text.length) }
        : { start: position, end: position },
      context: { diagnostics, ...(only && { only }) },
    },
  );
  const after = (title: string): string => {
    const changes = actions.find((action) => action.title === title)?.edit?.changes;
    return TextDocument.applyEdits(document, changes?.[document.uri] ?? []);
  };
  return { actions, after, titles: actions.map(({ title }) => title) };
}

const POLICY =
  'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector: {matchLabels: {a|pp: web}}\n';

const kindsOf = (actions: readonly CodeAction[]) =>
  actions.map(({ kind, title }) => `${kind ?? ''}: ${title}`);

describe('code actions of a selector', () => {
  it('are other ways to write it, and copies of it', async () => {
    const { actions, after } = await actionsAt(POLICY);
    expect(kindsOf(actions)).toEqual([
      'refactor.rewrite: Write it as an expression',
      'refactor.copy: Copy as one text',
      'refactor.copy: Copy for kubectl',
      'refactor.copy: Copy for a URL',
    ]);
    expect(after('Write it as an expression')).toBe(
      POLICY.replace('|', '').replace(
        '{matchLabels: {app: web}}',
        '{matchExpressions: [{key: app, operator: In, values: [web]}]}',
      ),
    );
    expect(actions.slice(1).map(({ command }) => command)).toEqual([
      { title: 'Copy as one text', command: commands.copySelector, arguments: ['app=web'] },
      { title: 'Copy for kubectl', command: commands.copySelector, arguments: ['-l app=web'] },
      {
        title: 'Copy for a URL',
        command: commands.copySelector,
        arguments: ['labelSelector=app%3Dweb'],
      },
    ]);
  });

  it('are those of the kinds that are asked for, each of which is announced', async () => {
    const titles = async (only: CodeActionKind[]) => (await actionsAt(POLICY, { only })).titles;
    expect(await titles([CodeActionKind.QuickFix])).toEqual([]);
    expect(await titles([CodeActionKind.RefactorRewrite])).toEqual(['Write it as an expression']);
    expect(await titles([CodeActionKind.Refactor])).toHaveLength(4);
    expect(await titles(['refactor.copy'])).toHaveLength(3);
    expect(await titles(['refactor.re'])).toEqual([]);
    const { actions } = await actionsAt(POLICY);
    for (const { kind } of actions) expect(ACTION_KINDS).toContain(kind);
  });

  it('are those of queries too', async () => {
    const kubectl = await actionsAt('kubectl get pods -A -l a=|b,c!=d\n', { name: 'q.etcdlist' });
    expect(kubectl.after('Put it into quotes for the shell')).toBe(
      "kubectl get pods -A -l 'a=b,c!=d'\n",
    );
    expect(kubectl.after('Write it with in')).toBe("kubectl get pods -A -l 'a in (b),c!=d'\n");
    const get = await actionsAt('GET /api/v1/pods?labelSelector=a=|b,c!=d&limit=5\n', {
      name: 'q.etcdlist',
    });
    expect(get.after('Percent-encode it')).toBe(
      'GET /api/v1/pods?labelSelector=a%3Db%2Cc%21%3Dd&limit=5\n',
    );
    const yaml = await actionsAt('resource: pods\nlabelSelector: a==|b\n', {
      name: 'q.etcdlist.yaml',
    });
    expect(yaml.after('Write it with =')).toBe("resource: pods\nlabelSelector: 'a=b'\n");
  });

  it('are none where no selector is', async () => {
    expect((await actionsAt('a: b|\n')).actions).toEqual([]);
    expect((await actionsAt('list po|ds\n', { name: 'q.etcdlist' })).actions).toEqual([]);
  });
});

describe('fixes', () => {
  it('belong to their diagnostics', async () => {
    const text = POLICY.replace('web', '"we|b "').replace('a|pp', 'app');
    const { actions } = await actionsAt(text, { only: [CodeActionKind.QuickFix] });
    expect(actions).toMatchObject([
      { title: 'Remove the blanks', isPreferred: true, diagnostics: [] },
    ]);
    const diagnostic: Diagnostic = {
      source: 'etcd LIST',
      code: 'label-value',
      message: wordsOf(text),
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
    };
    const others = [diagnostic, { ...diagnostic, source: 'another' }];
    const { actions: again } = await actionsAt(text, {
      only: [CodeActionKind.QuickFix],
      diagnostics: others,
    });
    expect(again.map(({ diagnostics }) => diagnostics)).toEqual([[diagnostic]]);
  });

  it('mend a misspelt key or value where it stands, also beside what matches', async () => {
    const index = indexOf([
      ...times(3, { labels: { app: 'web', tier: 'db' } }),
      ...times(2, { labels: { app: 'api' } }),
    ]);
    const text = POLICY.replace(
      '{matchLabels: {a|pp: web}}',
      '{matchExpressions: [{key: app, operator: In, values: [web, ap|j]}]}',
    );
    const { actions, after } = await actionsAt(text, { index, only: [CodeActionKind.QuickFix] });
    expect(actions).toHaveLength(1);
    expect(after(actions[0]!.title)).toBe(text.replace('ap|j', 'api'));
    const elsewhere = text.replace('ap|j', 'apj').replace('we', 'w|e');
    expect((await actionsAt(elsewhere, { index, only: [CodeActionKind.QuickFix] })).titles).toEqual(
      [],
    );
  });

  it('of a selector that matches nothing are offered once', async () => {
    const index = indexOf(times(3, { labels: { app: 'web' } }));
    const text = POLICY.replace('a|pp', 'a|qp');
    const position = { line: 0, character: 0 };
    const none: Diagnostic = {
      range: { start: position, end: position },
      message: 'This selector matches none of 3 Pods in web.',
      source: 'etcd LIST',
      code: 'selects-nothing',
    };
    for (const wide of [false, true]) {
      const { titles, actions } = await actionsAt(text, {
        index,
        only: [CodeActionKind.QuickFix],
        wide,
        diagnostics: [none],
      });
      expect(titles).toEqual(['Change to app, which 3 Pods carry']);
      // The finding stands at the key that begins the selector, which only the wide range touches.
      if (wide) expect(actions).toMatchObject([{ isPreferred: true, diagnostics: [none] }]);
      else expect(actions[0]?.diagnostics).toBeUndefined();
    }
  });
});

/** What the one finding says. */
function wordsOf(marked: string): string {
  const text = marked.replace('|', '');
  const { findings } = openDocument({ uri: 'a.yaml', languageId: '', text })!.analysis();
  return findings[0]!.message;
}
