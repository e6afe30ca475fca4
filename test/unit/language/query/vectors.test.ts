import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untrustedShellWord } from '../../../../server/common/shellWord';
import {
  parseFieldSelectorDetailed,
  parseLabelSelectorDetailed,
  type Span,
} from '../../../../server/kube/selectors';
import type { Finding } from '../../../../server/language/findings';
import { found, open } from './support';

interface Case {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

function cases(topic: string): Case[] {
  const path = join(import.meta.dirname, '../../../vectors', `${topic}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] }).cases;
}

interface Way {
  readonly name: string;
  readonly yaml?: true;
  /** The text of a file, and where the written selector begins in it; undefined where it cannot stand. */
  write(kind: 'label' | 'field', selector: string): { text: string; start: number } | undefined;
  /** What a part of the written selector stands for. */
  read(written: string): string;
}

/** Nothing of a field is known of it, so that only the text itself can be wrong. */
const resource = 'widgets.example.com';

function shellWay(name: string, before: string): Way {
  return {
    name,
    write(kind, selector) {
      // An argument cannot hold a NUL.
      if (selector.includes('\0')) return undefined;
      const flag = kind === 'label' ? '-l' : '--field-selector';
      const word = untrustedShellWord(selector);
      const quote = /^\$?'/.exec(word)?.[0].length ?? 0;
      const start = `${before} ${flag} `;
      return { text: `${start}${word} -A`, start: start.length + quote };
    },
    read: (written) =>
      Buffer.from(
        written
          .replaceAll("'\\''", "'")
          .replace(/\\x(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        /\\x/.test(written) ? 'latin1' : 'utf8',
      ).toString(),
  };
}

const ways: readonly Way[] = [
  shellWay('kubectl', `kubectl get ${resource}`),
  shellWay('list', `list ${resource}`),
  {
    name: 'GET',
    write(kind, selector) {
      const start = `GET /apis/example.com/v1/widgets?limit=5&${kind}Selector=`;
      return { text: start + encodeURIComponent(selector), start: start.length };
    },
    read: decodeURIComponent,
  },
  {
    name: 'GET over lines',
    write(kind, selector) {
      const start = `GET /apis/example.com/v1/widgets\r\n    ?limit=5\r\n    &${kind}Selector=`;
      const text = `${start}${encodeURIComponent(selector)}\r\n    &resourceVersion=0\r\n`;
      return { text, start: start.length };
    },
    read: decodeURIComponent,
  },
  {
    name: 'yaml',
    yaml: true,
    write(kind, selector) {
      const start = `resource: ${resource}\n${kind}Selector: "`;
      const written = JSON.stringify(selector).slice(1);
      return { text: `${start}${written}\nlimit: 5\n`, start: start.length };
    },
    read: (written) => JSON.parse(`"${written}"`) as string,
  },
];

function selectorFindings(text: string, yaml: boolean): readonly Finding[] {
  return open(text, {}, yaml)
    .analysis()
    .findings.filter(({ code }) => code === 'label-selector' || code === 'field-selector');
}

/** An error at the end, or at a missing part, is shown on the character before it. */
function shown(kind: 'label' | 'field', { start, end }: Span): Span {
  return kind === 'field' || end > start
    ? { start, end }
    : { start: Math.max(0, start - 1), end: start };
}

function check(kind: 'label' | 'field', selector: string, message: string, span: Span): number {
  let written = 0;
  for (const way of ways) {
    const form = way.write(kind, selector);
    if (form === undefined) continue;
    written++;
    const findings = selectorFindings(form.text, way.yaml === true);
    const where = `${way.name}: ${form.text}`;
    expect(
      findings.map((each) => each.message),
      where,
    ).toEqual([message]);
    const at = findings[0]!.span;
    const place = shown(kind, span);
    expect(way.read(form.text.slice(form.start, at.start)), where).toBe(
      selector.slice(0, place.start),
    );
    expect(way.read(form.text.slice(at.start, at.end)), where).toBe(
      selector.slice(place.start, place.end),
    );
    expect(open(form.text, {}, way.yaml === true).queries()[0]?.request, where).toBeUndefined();
  }
  return written;
}

/** kubectl trims a selector; those whose ends are blanks are looked at elsewhere. */
const isTrimmed = (text: string): boolean => text.trim() === text;

describe('every refusal of a selector stands at its place in every form', () => {
  it.each(
    cases('label-parse')
      .map(({ id, input, expect: wanted }) => [id, input['selector'], wanted['error']] as const)
      .filter(([, selector, error]) => typeof error === 'string' && isTrimmed(String(selector))),
  )('%s', (_, selector, error) => {
    const text = String(selector);
    const { span } = parseLabelSelectorDetailed(text).error!;
    const written = check('label', text, String(error), span);
    expect(written).toBe(text.includes('\0') ? 3 : 5);
  });

  it.each(
    cases('field-parse')
      .filter(({ input }) => input['call'] === 'parse' && !('failOn' in input))
      .map(({ id, input, expect: wanted }) => [id, input['text'], wanted['error']] as const)
      .filter(([, text, error]) => typeof error === 'string' && isTrimmed(String(text))),
  )('%s', (_, selector, error) => {
    const text = String(selector);
    const { span } = parseFieldSelectorDetailed(text).error!;
    expect(check('field', text, String(error), span)).toBe(text.includes('\0') ? 3 : 5);
  });

  it('and what is accepted is accepted', () => {
    let written = 0;
    for (const { input, expect: wanted } of cases('label-parse')) {
      const selector = String(input['selector']);
      if (typeof wanted['error'] === 'string' || !isTrimmed(selector)) continue;
      for (const way of ways) {
        const form = way.write('label', selector);
        if (form === undefined) continue;
        written++;
        const query = open(form.text, {}, way.yaml === true).queries()[0];
        expect(query?.request?.labelSelector, `${way.name}: ${form.text}`).toBe(selector);
      }
    }
    expect(written).toBeGreaterThan(300);
  });
});

describe('every refusal of options', () => {
  const answered = cases('list-options-api').filter(
    ({ input }) => input['watchListEnabled'] === true || input['sendInitialEvents'] === null,
  );

  it.each(answered.map((each) => [each.id, each] as const))(
    '%s',
    (_, { input, expect: wanted }) => {
      const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = input;
      const parameters = [
        ['limit', String(input['limit'])],
        ['resourceVersion', String(resourceVersion)],
        ['resourceVersionMatch', String(resourceVersionMatch)],
        ['continue', String(input['continue'])],
      ].filter(([, value]) => value !== '');
      if (watch === true) parameters.push(['watch', 'true']);
      if (sendInitialEvents !== null)
        parameters.push(['sendInitialEvents', sendInitialEvents === true ? 'true' : 'false']);
      const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
      const messages = found(`GET /api/v1/pods?${query.join('&')}`)
        .filter(([code]) => code === 'request')
        .map(([, , message]) => message!)
        .filter((message) => /^(?:resourceVersionMatch|sendInitialEvents): /.test(message));
      const isDefaulted =
        watch === true &&
        resourceVersionMatch === '' &&
        sendInitialEvents === null &&
        (resourceVersion === '' || resourceVersion === '0');
      const expected = [...(wanted['errors'] as string[])];
      // The API server makes a legacy watch one that sends initial events before it checks.
      if (isDefaulted && input['continue'] !== '') {
        expected.push(
          'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
        );
      }
      expect(messages.toSorted()).toEqual(expected.toSorted());
    },
  );
});
