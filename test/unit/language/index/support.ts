import { LabelIndexBuilder } from '../../../../server/language/index/labelIndexBuilder';
import type { Coverage, LabelIndex } from '../../../../server/language/index/labelIndex';
import type { SelectorSite, SiteRequirement } from '../../../../server/language/model';
import { fieldTransformFor } from '../../../../server/kube/fields/fieldLabels';

export type Texts = Readonly<Record<string, string>>;

export const pods = {
  noun: { one: 'Pod', many: 'Pods' },
  namespace: 'web',
  namespaced: true,
  fieldTransform: fieldTransformFor({ group: '', resource: 'pods' }, 'v1'),
};

export interface Given {
  readonly labels?: Texts;
  readonly fields?: Texts;
}

/** An index of these objects: all there are, unless the coverage says otherwise. */
export function indexOf(
  objects: readonly Given[],
  coverage: Partial<Coverage> = {},
  resource: Partial<typeof pods> = {},
): LabelIndex {
  const builder = new LabelIndexBuilder();
  for (const { labels = {}, fields = {} } of objects) {
    builder.add({
      labels: new Map(Object.entries(labels)),
      fields: new Map(Object.entries(fields)),
    });
  }
  const whole = { total: objects.length, unreadable: 0, places: 1, ...coverage };
  return builder.build({ ...pods, ...resource }, whole);
}

/** `count` objects with these labels and fields. */
export function times(count: number, given: Given): Given[] {
  return Array.from({ length: count }, () => given);
}

export function requirement(
  key: string,
  operator: SiteRequirement['operator'],
  values: readonly string[] = [],
  more: Partial<SiteRequirement> = {},
): SiteRequirement {
  return { kind: 'label', span: { start: 0, end: 1 }, key, operator, values, ...more };
}

/** A selector of one text. */
export function site(
  labels: string,
  requirements: readonly SiteRequirement[],
  more: Partial<SelectorSite> = {},
): SelectorSite {
  return {
    form: 'text',
    span: { start: 10, end: 40 },
    anchor: { start: 10, end: 18 },
    from: { resource: 'pods', namespace: 'web' },
    requirements,
    selects: [{ labels, fields: '' }],
    isWhole: true,
    empty: 'all',
    ...more,
  };
}
