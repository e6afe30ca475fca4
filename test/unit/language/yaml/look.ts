import { expect } from 'vitest';
import type { Finding, FindingCode } from '../../../../server/language/findings';
import type { Analysis, SelectorSite } from '../../../../server/language/model';
import { withEdits } from '../../../../server/language/source/edits';
import type { YamlOptions } from '../../../../server/language/yaml/analyse';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';

export function analyseYaml(text: string, options?: YamlOptions): Analysis {
  return new YamlFile(text, options).analysis();
}

/** What is found: the code, the characters it stands at, and what it says. */
export function found(text: string, options?: YamlOptions): [FindingCode, string, string][] {
  return analyseYaml(text, options).findings.map(({ code, span, message }) => [
    code,
    text.slice(span.start, span.end),
    message,
  ]);
}

/** The same without the messages. */
export function marks(text: string, options?: YamlOptions): [FindingCode, string][] {
  return found(text, options).map(([code, covered]) => [code, covered]);
}

export function only(text: string, code: FindingCode, options?: YamlOptions): Finding {
  const findings = analyseYaml(text, options).findings.filter((each) => each.code === code);
  expect(findings).toHaveLength(1);
  return findings[0]!;
}

/** The text after the preferred fix of the one finding with this code, which is gone then. */
export function fixed(text: string, code: FindingCode, options?: YamlOptions): string {
  const fix = only(text, code, options).fixes.find(({ preferred }) => preferred);
  expect(fix, 'a fix').toBeDefined();
  const after = withEdits(text, fix!.edits);
  expect(marks(after, options).map(([each]) => each)).not.toContain(code);
  return after;
}

export function sites(text: string, options?: YamlOptions): readonly SelectorSite[] {
  return analyseYaml(text, options).sites;
}

/** What each selector selects, as `resource namespace: labels; fields`, `-` for what nobody can tell. */
export function selects(text: string, options?: YamlOptions): string[] {
  return sites(text, options).map(({ from, selects: alternatives }) => {
    const where = `${from.resource ?? '-'} ${from.namespace ?? '-'}`;
    const what = alternatives?.map(({ labels, fields }) =>
      fields === '' ? labels : `${labels}; ${fields}`,
    );
    return `${where}: ${what === undefined ? '-' : what.join(' | ')}`;
  });
}

/** Takes a common indent and the first line's end off. */
export function yaml(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const text = String.raw(strings, ...values).replace(/^\n/, '');
  const indent = /^ */.exec(text)?.[0] ?? '';
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    .join('\n');
}
