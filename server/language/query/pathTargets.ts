/** The resource that the path of an API request names, exactly as it has to be written there. */
import { qualifiedName } from '../../common/groupResource';
import { nearest } from '../../common/nearest';
import { DOTTED_GROUPS } from '../../kube/resources/builtIn';
import { cellText } from '../../kube/print/cellText';
import { BUILT_IN, customResource } from '../../kube/resources/resources';
import { finding, type Finding, type Fix } from '../findings';
import type { DraftTarget } from './draft';
import { wholeOf } from '../source/parts';
import type { QueryFileOptions } from './options';
import { builtInTarget, customTarget, unknownTarget, type Target } from './targets';

type PathTarget = Extract<DraftTarget, { kind: 'path' }>;

/** What API servers serve and store nowhere. */
const NOT_STORED: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'nodes.metrics.k8s.io',
  'pods.metrics.k8s.io',
]);

/** Undefined with a finding where an API server would know no such resource, or stores none. */
export function pathTarget(
  target: PathTarget,
  options: QueryFileOptions,
  findings: Finding[],
): Target | undefined {
  const { group, version, resource } = target;
  const word = resource.text.text;
  const builtIn = BUILT_IN.find((each) => each.group === group && each.resource === word);
  if (builtIn !== undefined) {
    if (!builtIn.versions.includes(version)) findings.push(otherVersion(target, builtIn.versions));
    const known = builtIn.versions.includes(version) ? version : (builtIn.versions[0] ?? '');
    return builtInTarget({ resource: builtIn, version: known });
  }
  const name = qualifiedName({ group, resource: word });
  if (NOT_STORED.has(name)) {
    const message = `No etcd holds ${name}: the API server, or one behind it, answers by itself.`;
    findings.push(finding('query', message, wholeOf(resource.text)));
    return undefined;
  }
  const isBuiltInGroup = !group.includes('.') || DOTTED_GROUPS.has(group);
  const custom = isBuiltInGroup ? undefined : customResource(group, word);
  if (custom !== undefined) return customTargetOf(target, options);
  findings.push(unknownPath(target));
  return undefined;
}

function customTargetOf(
  { group, version, resource }: PathTarget,
  options: QueryFileOptions,
): Target {
  const plural = resource.text.text;
  const asked = /^v\d+(?:(?:alpha|beta)\d+)?$/.test(version) ? version : '';
  const known = options.customResources?.find(
    (each) => each.group === group && each.plural === plural,
  );
  if (known !== undefined) return customTarget(known, asked);
  const name = qualifiedName({ group, resource: plural });
  return unknownTarget(asked === '' ? name : `${plural}.${asked}.${group}`, name);
}

function otherVersion(
  { group, version, resource }: PathTarget,
  versions: readonly string[],
): Finding {
  const name = qualifiedName({ group, resource: resource.text.text });
  const message = `The API server of Kubernetes 1.37 has ${name} in ${versions.join(', ')}, not in ${cellText(version)}; what is stored is the same.`;
  return finding('unknown-resource', message, wholeOf(resource.text));
}

function unknownPath({ group, resource }: PathTarget): Finding {
  const word = resource.text.text;
  const known = BUILT_IN.filter((each) => each.group === group);
  const near = known.filter(({ singular, shortNames }) => {
    const lower = word.toLowerCase();
    return singular === lower || shortNames.includes(lower);
  });
  const names = [
    ...near.map((each) => each.resource),
    ...nearest(
      word,
      known.map((each) => each.resource),
    ),
  ];
  const span = wholeOf(resource.text);
  const fixes = [...new Set(names)].map((name, i): Fix => ({
    title: `Change to ${name}`,
    edits: [{ span, text: name }],
    preferred: i === 0,
  }));
  const where = group === '' ? 'the core group' : `the group ${cellText(group)}`;
  const message = `The API server answers 404: there is no resource "${cellText(word)}" in ${where}.`;
  return finding('request', message, span, fixes);
}
