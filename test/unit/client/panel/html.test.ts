import { expect, it } from 'vitest';
import { contentPolicy, pageHtml } from '../../../../client/panel/html';

const parts = {
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'bm9uY2U+/w==',
  styleNonce: 'c3R5bGU=',
  script: 'https://x/main.js?a=1&b="2"',
  style: 'https://x/style.css',
  language: 'de"><script>',
};

it('allows nothing but its own script, style, fonts and pictures', () => {
  expect(contentPolicy(parts)).toBe(
    "default-src 'none'; script-src 'nonce-bm9uY2U+/w=='; " +
      "style-src https://*.vscode-cdn.net 'nonce-c3R5bGU='; " +
      'font-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net; ' +
      "base-uri 'none'; form-action 'none'",
  );
  expect(contentPolicy(parts)).not.toContain('unsafe');
});

it('has no inline code, and escapes what it is given', () => {
  const html = pageHtml(parts);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('src="https://x/main.js?a=1&amp;b=&quot;2&quot;"></script>');
  expect(html).toContain('lang="de&quot;&gt;&lt;script&gt;"');
  expect(html.match(/bm9uY2U/g)).toHaveLength(2);
  expect(html).not.toMatch(/\son\w+=|style="|<style/);
  expect(html.indexOf('<main>')).toBeLessThan(html.indexOf('<script'));
});
