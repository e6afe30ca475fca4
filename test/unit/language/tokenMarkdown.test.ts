import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectLink } from '../../../server/features/inspectLink';
import { encodeTokenFields, explainToken } from '../../../server/language/tokenFacts';
import { tokenMarkdown } from '../../../server/language/tokenMarkdown';

const prefix = new TextEncoder().encode('/registry/pods/');

const nasty = fc.oneof(
  fc.constantFrom(
    '[x](command:workbench.action.terminal.new)',
    '<img src=x onerror=alert(1)>',
    '<a href="command:x">y</a>',
    '![i](https://evil.example/i.png)',
    'https://evil.example www.evil.example me@evil.example',
    '$(zap) **bold** `code` ~~x~~ | a | b |',
    '\n\n# heading\n- item\n```js\nx\n```',
    '&lt;b&gt; &#60;b&#62; &NewLine;',
    '\u202e\u200b\u0000\u001b[31m',
    '[ref]: command:x',
  ),
  fc.string({ unit: 'binary' }),
);

/** What Markdown or HTML could act on, once escaped signs are taken out. */
const acting = /[&<>\\`*_{}[\]()#+\-.!|~@:/"'$\n]|(?![ ])[\p{Cc}\p{Cf}]/u;
const unescaped = (text: string): string => text.replaceAll(/&#\d+;/g, '');

const fieldsOf = (markdown: string) =>
  markdown.split('\n').flatMap((line) => {
    const [, name = '', text = ''] =
      /^- (version|start|resumes at|kube-apiserver says|inside): (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [text];
  });

describe('the Markdown of a token', () => {
  it('lets nothing of the token act', () => {
    fc.assert(
      fc.property(nasty, nasty, fc.bigInt(-5n, 5n), (version, start, revision) => {
        for (const each of ['meta.k8s.io/v1', version]) {
          const token = encodeTokenFields(each, revision, start);
          const markdown = tokenMarkdown(explainToken(token, prefix));
          for (const text of fieldsOf(markdown)) expect(unescaped(text)).not.toMatch(acting);
          expect(markdown).not.toMatch(/command:|https?:|<|\]\(/);
          expect(markdown.split('\n').length).toBeLessThan(12);
        }
      }),
    );
  });

  it('and a link that carries it whole are all there is', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const link = inspectLink(text);
        const [, argument = ''] =
          /^\[Inspect continue token\]\(command:etcdList\.inspectToken\?([^()\s'*<>[\]]*)\)$/.exec(
            link,
          ) ?? [];
        expect(JSON.parse(decodeURIComponent(argument))).toEqual([text]);
      }),
    );
  });
});
