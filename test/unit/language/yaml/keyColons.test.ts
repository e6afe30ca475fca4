import { describe, expect, it } from 'vitest';
import { offersFor } from '../../../../server/language/index/offers';
import { withEdits } from '../../../../server/language/source/edits';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { indexOf } from '../index/support';
import { selects } from './look';

const index = indexOf([{ labels: { tier: 'db' } }]);
const HEAD = 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  podSelector:\n';

/** The text after the one offer at `|` is taken. */
function completed(marked: string): string | undefined {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const spot = new YamlFile(text).spotAt(offset);
  if (spot === undefined) return undefined;
  const { offers } = offersFor(spot, { index, namespaces: [], customResources: [] });
  expect(offers.map((offer) => offer.text)).toEqual(['tier']);
  return withEdits(text, [offers[0]!.edit]);
}

const inPolicy = (lines: string): string => `${HEAD}    ${lines.replaceAll('\n', '\n    ')}\n`;

describe('a completed key of a map', () => {
  it.each([
    ['alone', 'matchLabels:\n  ti|', 'matchLabels:\n  tier: '],
    ['behind others', 'matchLabels:\n  a: b\n  ti|', 'matchLabels:\n  a: b\n  tier: '],
    ['before others', 'matchLabels:\n  ti|\n  a: b', 'matchLabels:\n  tier: \n  a: b'],
    ['on an empty line', 'matchLabels:\n  |\n  a: b', 'matchLabels:\n  tier: \n  a: b'],
    [
      'above a comment',
      'matchLabels:\n  ti|\n\n  # why\n  a: b',
      'matchLabels:\n  tier: \n\n  # why\n  a: b',
    ],
    ['before a comment', 'matchLabels:\n  ti| # why', 'matchLabels:\n  tier:  # why'],
    ['in double quotes', 'matchLabels:\n  "ti|"', 'matchLabels:\n  "tier": '],
    ['in single quotes', "matchLabels:\n  'ti|'", "matchLabels:\n  'tier': "],
    [
      'in quotes, before others',
      'matchLabels:\n  "ti|"\n  a: b',
      'matchLabels:\n  "tier": \n  a: b',
    ],
    ['in braces', 'matchLabels: {ti|}', 'matchLabels: {tier: }'],
    ['in braces, before others', 'matchLabels: {ti|, a: b}', 'matchLabels: {tier: , a: b}'],
    ['in braces and quotes', 'matchLabels: {"ti|"}', 'matchLabels: {"tier": }'],
  ])('gets its colon: %s', (_where, marked, wanted) => {
    expect(completed(inPolicy(marked))).toBe(inPolicy(wanted));
    const broken = inPolicy(marked).replaceAll('\n', '\r\n');
    expect(completed(broken)).toBe(inPolicy(wanted).replaceAll('\n', '\r\n'));
  });

  it.each([
    ['that has one', 'matchLabels:\n  ti|: db', 'matchLabels:\n  tier: db'],
    ['that has one and no value', 'matchLabels:\n  ti|:', 'matchLabels:\n  tier:'],
    ['that has one behind a blank', 'matchLabels:\n  ti| : db', 'matchLabels:\n  tier : db'],
    ['in quotes that has one', 'matchLabels:\n  "ti|": db', 'matchLabels:\n  "tier": db'],
    ['in braces that has one', 'matchLabels: {ti|: db}', 'matchLabels: {tier: db}'],
    [
      'with one on the next line',
      'matchLabels:\n  ? ti|\n  : db',
      'matchLabels:\n  ? tier\n  : db',
    ],
    ['of an expression', 'matchExpressions:\n- key: ti|', 'matchExpressions:\n- key: tier'],
  ])('gets no other one: %s', (_where, marked, wanted) => {
    expect(completed(inPolicy(marked))).toBe(inPolicy(wanted));
  });

  it('in open quotes is not completed, since all that follows is in them', () => {
    expect(completed(inPolicy('matchLabels:\n  "ti|'))).toBeUndefined();
  });
});

describe('a key without a colon', () => {
  it.each([
    'matchLabels:\n  app: web\n  ti',
    'matchLabels:\n  ti\n  app: web',
    'matchLabels:\n  ti',
    'matchLabels: {ti}',
    'matchLabels: {app: web, ti}',
    'matchLabels:\n  ? ti',
    'matchLabels',
    'matchExpressions:\n- {key: a, operator: Exists}\n- ke',
    'matchExpressions:\n- key: a\n  operator: Exists\n  val',
  ])('asks for nothing, and leaves the rest uncertain: %j', (lines) => {
    const told = selects(inPolicy(lines));
    expect(told.every((each) => each === 'pods -: -')).toBe(true);
    const { findings, sites } = new YamlFile(inPolicy(lines)).analysis();
    expect(findings).toEqual([]);
    const keys = sites.flatMap(({ requirements }) => requirements.map(({ key }) => key));
    expect(keys.filter((key) => key !== 'app' && key !== 'a')).toEqual([]);
  });

  it('elsewhere in the document changes nothing', () => {
    expect(selects(`${inPolicy('matchLabels:\n  app: web')}ap`)).toEqual(['pods -: app=web']);
    expect(selects('apiVersion: v1\nkind: Service\nspec:\n  selector\n')).toEqual([]);
  });

  it('hides what its labels might be', () => {
    const text = (labels: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata:\n      labels:\n        tier: db\n${labels}    spec:\n      containers: [{name: a}]\n`;
    const codes = (of: string) => new YamlFile(of).analysis().findings.map(({ code }) => code);
    expect(codes(text(''))).toEqual(['template-labels']);
    expect(codes(text('        ap\n'))).toEqual([]);
  });
});
