/** The token inspector: paste anything, see what it says and whether the API server would take it. */
import type { ListQuery, TokenFacts, TokenVerdictKind } from '../../server/protocol/model';
import { h, replaceChildren, setHidden, setText } from '../dom';
import type { Controller } from '../controller';
import type { TokenFields, TokenState } from '../tokenState';
import { button, textArea, textField } from '../toolkit';
import type { View } from './view';

const refusals: Readonly<Record<Exclude<TokenVerdictKind, 'ok'>, string>> = {
  notAToken: 'Refused: not a continue token',
  unrecognizedVersion: 'Refused: unknown version',
  zeroRevision: 'Refused: resourceVersion is zero',
  emptyStart: 'Refused: the start key is empty',
  uncleanStart: 'Refused: the start key would leave its prefix',
};

interface Verdict {
  readonly kind: 'ok' | 'warning' | 'refused';
  readonly title: string;
}

const marks: Readonly<Record<Verdict['kind'], string>> = { ok: '✓', warning: '!', refused: '✕' };

/** The API server takes a token only where etcd has its revision, which is not always known. */
function verdictOf({ verdict, compacted, notReached, resourceVersion }: TokenFacts): Verdict {
  if (verdict !== 'ok') return { kind: 'refused', title: refusals[verdict] };
  const here = 'Well formed, but refused on this etcd:';
  if (compacted === true) {
    return { kind: 'warning', title: `${here} its revision is compacted (410 Expired)` };
  }
  if (notReached) {
    const title = `${here} its revision is not reached yet (504 Too large resource version)`;
    return { kind: 'warning', title };
  }
  const isPinned = !resourceVersion.startsWith('-');
  return compacted === undefined && isPinned
    ? { kind: 'ok', title: 'Well formed: the API server takes it while etcd has its revision' }
    : { kind: 'ok', title: 'The API server takes this token' };
}

function compactedText({ compacted, compactedUnknown, notReached }: TokenFacts): string {
  if (notReached) return 'not reached yet on the connected etcd: a list with this token gets 504';
  if (compacted === undefined) return `not known: ${compactedUnknown ?? 'etcd was not asked'}`;
  return compacted
    ? 'compacted on the connected etcd: a list with this token gets 410'
    : 'still there on the connected etcd';
}

/** What the start key was put behind: a token does not say of which list it is. */
function listedText({ resource, namespace }: ListQuery): string {
  const what = resource.trim() === '' ? 'pods' : resource.trim();
  return `for ${what} in ${namespace === '' ? 'all namespaces' : `namespace ${namespace}`}, as in the query`;
}

function factRows(facts: TokenFacts, query: ListQuery): HTMLElement[] {
  const rows: readonly (readonly [string, string, boolean, string?])[] = [
    ['Found as', facts.foundIn, false],
    ['Token', facts.token, true],
    ['JSON inside', facts.json, true],
    ['Version', facts.version, true],
    ['resourceVersion', facts.resourceVersion, true],
    ['Meaning', facts.revisionMeaning, false],
    ['Start key', facts.start, true],
    ['Resumes at', facts.resumesAt, true, listedText(query)],
    ['On this etcd', facts.verdict === 'notAToken' ? '' : compactedText(facts), false],
  ];
  return rows
    .filter(([, text]) => text !== '')
    .map(([name, text, isCode, remark]) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, name),
        h(
          'td',
          {},
          isCode ? h('code', {}, text) : text,
          remark !== undefined && h('span', { class: 'quiet' }, ` ${remark}`),
        ),
      ),
    );
}

function verdictView(facts: TokenFacts): HTMLElement {
  const { kind, title } = verdictOf(facts);
  return h(
    'div',
    { class: `verdict ${kind}` },
    h(
      'p',
      { class: 'verdict-title' },
      h('span', { 'aria-hidden': 'true' }, `${marks[kind]} `),
      title,
    ),
    facts.upstreamError !== '' && h('p', {}, h('code', {}, facts.upstreamError)),
    facts.why !== '' && h('p', { class: 'quiet' }, facts.why),
  );
}

const noFields: TokenFields = { version: '', resourceVersion: '', start: '' };

/** As edited, else as the pasted token says. */
function fieldsOf({ edited, facts }: TokenState): TokenFields {
  const { version, resourceVersion, start } = edited ?? facts ?? noFields;
  return { version, resourceVersion, start };
}

export class TokenTab implements View {
  readonly element: HTMLElement;
  private readonly paste;
  private readonly fields;
  private readonly verdict = h('div', { role: 'status', 'aria-live': 'polite' });
  private readonly facts = h('tbody', {});
  private readonly typed = h('div', { class: 'token-result', hidden: true });
  /** What is known once the fields make a token. */
  private readonly result = h('div', { class: 'token-result', hidden: true });
  private readonly failure = h('p', { class: 'failure-sentence', role: 'alert', hidden: true });
  private readonly useButton;
  private shown: TokenFacts | null = null;

  constructor(private readonly controller: Controller) {
    this.paste = textArea(
      'Continue token',
      'Paste a token, a URL with one, or a JSON list’s metadata',
      3,
      (text) => {
        controller.inspector.paste(text);
      },
    );
    this.paste.element.classList.add('token-paste');
    const field = (name: keyof TokenFields, label: string) => {
      const control = textField(label, '', (text) => {
        controller.inspector.edit({ ...fieldsOf(controller.store.state.token), [name]: text });
      });
      control.element.classList.add('field', 'token-field', name);
      return control;
    };
    this.fields = {
      version: field('version', 'v'),
      resourceVersion: field('resourceVersion', 'rv'),
      start: field('start', 'start'),
    };
    this.useButton = button('Use in the query', () => {
      this.use();
    });
    this.fillResult();
    this.element = h(
      'div',
      { class: 'token-tab' },
      this.paste.element,
      this.verdict,
      this.typed,
      this.failure,
      this.result,
    );
  }

  private fillResult(): void {
    const copy = (text: string, of: (facts: TokenFacts) => string, what: string): HTMLElement =>
      button(text, () => {
        const { facts } = this.controller.store.state.token;
        if (facts) this.controller.outputs.copy(of(facts), what);
      }).element;
    this.typed.append(
      h(
        'div',
        { class: 'token-fields', role: 'group', 'aria-label': 'Fields of the token' },
        ...Object.values(this.fields).map(({ element }) => element),
      ),
    );
    this.result.append(
      h(
        'div',
        { class: 'actions' },
        copy('Copy token', ({ token }) => token, 'token'),
        copy('Copy start key', ({ start }) => start, 'start key'),
        copy('Copy as JSON', ({ json }) => json, 'token as JSON'),
        this.useButton.element,
      ),
      h(
        'table',
        { class: 'facts' },
        h('caption', { class: 'heard' }, 'What the token says'),
        this.facts,
      ),
    );
  }

  private use(): void {
    const { facts } = this.controller.store.state.token;
    if (facts)
      this.controller.edit({
        continueToken: facts.token,
        resourceVersion: '',
        resourceVersionMatch: '',
      });
  }

  update(
    { token }: { readonly token: TokenState },
    previous: { readonly token: TokenState } | null,
  ): void {
    if (token === previous?.token) return;
    const { facts, failure } = token;
    this.paste.set(token.text);
    setHidden(this.failure, failure === null);
    setText(this.failure, failure?.sentence ?? '');
    setHidden(this.typed, facts === null);
    // What an earlier token said is not said of fields that make none.
    const shown = failure ? null : facts;
    setHidden(this.result, shown === null);
    const values = fieldsOf(token);
    for (const [name, control] of Object.entries(this.fields)) {
      control.set(values[name as keyof TokenFields]);
    }
    if (shown === this.shown) return;
    this.shown = shown;
    replaceChildren(this.verdict, shown && verdictView(shown));
    replaceChildren(
      this.facts,
      ...(shown ? factRows(shown, this.controller.store.state.query) : []),
    );
    this.useButton.setDisabled(shown?.verdict !== 'ok');
  }
}
