import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { YAML_FIELDS } from '../../../../server/language/query/yamlFields';
import { MATCH_CHOICES } from '../../../../server/language/query/choices';
import { found, open } from './support';

function asset(name: string): unknown {
  const path = join(import.meta.dirname, '../../../../client/assets', name);
  return JSON.parse(readFileSync(path, 'utf8'));
}

interface Rule {
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly name?: string;
  readonly include?: string;
  readonly patterns?: readonly Rule[];
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly beginCaptures?: Readonly<Record<string, { readonly name: string }>>;
}

const grammar = asset('etcdlist.tmLanguage.json') as Rule & {
  readonly scopeName: string;
  readonly repository: Readonly<Record<string, Rule>>;
};

function rules(): Rule[] {
  const found: Rule[] = [];
  const waiting: Rule[] = [grammar, ...Object.values(grammar.repository)];
  for (let rule = waiting.pop(); rule !== undefined; rule = waiting.pop()) {
    found.push(rule);
    waiting.push(...(rule.patterns ?? []));
  }
  return found;
}

describe('the grammar', () => {
  it('includes only what it has, and names its scopes after itself', () => {
    for (const { include, name, captures, beginCaptures } of rules()) {
      if (include !== undefined) expect(grammar.repository).toHaveProperty([include.slice(1)]);
      const names = [...Object.values(captures ?? {}), ...Object.values(beginCaptures ?? {})];
      for (const each of [name, ...names.map((capture) => capture.name)]) {
        if (each !== undefined && each !== grammar.name) {
          expect(each).toMatch(/\.etcdlist$/);
        }
      }
    }
  });

  it.each<[string, string, (string | undefined)[]]>([
    ['separator', '###  All pods', ['###', 'All pods']],
    ['name', '# @name first', ['#', '@name', 'first']],
    ['comment', '  # something', []],
    ['kubectl', 'kubectl get pods', ['kubectl']],
    ['list', 'list /registry/pods/ -l a', ['list', '/registry/pods/', undefined]],
    ['list', 'list pods', ['list', undefined, 'pods']],
    ['list', 'list \\', ['list', undefined, undefined]],
    ['get', 'GET /api/v1/pods', ['GET']],
    ['address', '    &limit=5', []],
    ['address', '"requestURI": "/api/v1/pods"', []],
    ['address', 'https://host/api/v1/pods', []],
    ['reference', '{{first.continue}}', ['{{', 'first.continue', '}}']],
  ])('knows %s: %s', (name, line, groups) => {
    const rule = grammar.repository[name];
    const match = new RegExp(rule?.match ?? rule?.begin ?? '(?!)').exec(line);
    expect(match?.slice(1)).toEqual(groups);
  });

  it.each([
    ['kubectl', 'kubectlget'],
    ['list', 'listing'],
    ['get', 'GETTING'],
    ['separator', '## x'],
    ['address', 'list pods'],
    ['name', '# name x'],
  ])('does not take for %s: %s', (name, line) => {
    const rule = grammar.repository[name];
    expect(new RegExp(rule?.match ?? rule?.begin ?? '').test(line)).toBe(false);
  });

  it('goes on behind a backslash', () => {
    const end = new RegExp(grammar.repository['kubectl']?.end ?? '');
    expect([end.test('kubectl get pods'), end.test('kubectl get pods \\')]).toEqual([true, false]);
  });
});

describe('the snippets', () => {
  const snippets = asset('etcdlist.snippets.json') as Readonly<
    Record<string, { readonly prefix: string; readonly body: readonly string[] }>
  >;

  it.each(Object.entries(snippets))('%s is sound', (name, { body, prefix }) => {
    let text = body.join('\n').replaceAll('\\}', '}');
    for (let before = ''; before !== text;) {
      before = text;
      text = text.replace(/\$\{\d+:([^${}]*)\}|\$\d+/g, '$1');
    }
    expect(prefix).not.toBe('');
    expect(found(text)).toEqual([]);
    const requests = open(text)
      .queries()
      .map(({ request }) => request !== undefined);
    expect(requests).toEqual(name === 'two pages' ? [true, true] : name === 'block' ? [] : [true]);
  });
});

describe('the schema of YAML queries', () => {
  const schema = asset('etcdlist.query.schema.json') as {
    readonly properties: Readonly<
      Record<
        string,
        { readonly type: string; readonly enum?: string[]; readonly description: string }
      >
    >;
  };

  it('has the members that are read, with their types', () => {
    const types = { text: 'string', whole: 'integer', truth: 'boolean' };
    const read = YAML_FIELDS.map(({ name, type, about }) => [name, types[type], about]);
    const written = Object.entries(schema.properties).map(([name, { type, description }]) => [
      name,
      type,
      description,
    ]);
    expect(written).toEqual(read);
    expect(schema.properties['resourceVersionMatch']?.enum).toEqual(
      MATCH_CHOICES.map(({ text }) => text),
    );
  });
});

describe('the language configuration', () => {
  it('knows comments, words and lines that go on', () => {
    const configuration = asset('etcdlist.language-configuration.json') as {
      readonly comments: { readonly lineComment: string };
      readonly wordPattern: string;
      readonly onEnterRules: readonly { readonly beforeText: string }[];
    };
    expect(configuration.comments.lineComment).toBe('#');
    const word = new RegExp(configuration.wordPattern, 'g');
    expect("-l 'app.io-x=ng_1,tier'".match(word)).toEqual(['-l', 'app.io-x', 'ng_1', 'tier']);
    const [rule] = configuration.onEnterRules;
    expect(new RegExp(rule?.beforeText ?? '(?!)').test('kubectl get pods \\')).toBe(true);
    expect(new RegExp(rule?.beforeText ?? '').test('kubectl get pods')).toBe(false);
  });
});
