/**
 * Checks of names. Each returns upstream's messages in order; none means valid. Limits count UTF-8
 * bytes, whatever the message calls them. No check backtracks: all take time linear in the text.
 *
 * Upstream: `k8s.io/apimachinery/pkg/api/validate/content` and, where a comment says so, the older
 * `k8s.io/apimachinery/pkg/util/validation`, which words length errors differently.
 */

import { utf8Length } from '../../common/goText';

const nameLimit = 63;
const subdomainLimit = 253;

const nameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameMessage = regexMessage(nameRule, nameFormat, ['MyName', 'my.name', '123-abc']);

const valueMessage = regexMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${nameFormat})?`,
  ['MyValue', 'my_value', '12345'],
);

const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsLabelMessage = regexMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  dnsLabelFormat,
  ['my-name', '123-abc'],
);

const dnsSubdomainMessage = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  `${dnsLabelFormat}(\\.${dnsLabelFormat})*`,
  ['example.com'],
);

function regexMessage(rule: string, format: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${quoted}regex used for validation is '${format}')`;
}

type LengthUnit = 'bytes' | 'characters';

function lengthErrors(value: string, limit: number, unit: LengthUnit): string[] {
  return utf8Length(value) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function isName(value: string): boolean {
  return !/[^-A-Za-z0-9_.]/.test(value) && /^[A-Za-z0-9]/.test(value) && !/[-_.]$/.test(value);
}

function matchesDnsLabel(value: string): boolean {
  return (
    value !== '' && !/[^-a-z0-9]/.test(value) && !value.startsWith('-') && !value.endsWith('-')
  );
}

function matchesDnsSubdomain(value: string): boolean {
  return value.split('.').every(matchesDnsLabel);
}

/**
 * A label key: an optional DNS subdomain and `/`, then a name.
 *
 * Upstream: `IsLabelKey`, also known as `IsQualifiedName`.
 */
export function labelKeyErrors(value: string): string[] {
  const slash = value.indexOf('/');
  if (slash < 0) return namePartErrors(value);
  if (value.includes('/', slash + 1)) {
    return [
      `a valid label key ${nameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return [...prefixPartErrors(value.slice(0, slash)), ...namePartErrors(value.slice(slash + 1))];
}

function prefixPartErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return contentDns1123SubdomainErrors(prefix).map((message) => `prefix part ${message}`);
}

function namePartErrors(name: string): string[] {
  const size = name === '' ? ['must be non-empty'] : lengthErrors(name, nameLimit, 'bytes');
  const form = isName(name) ? [] : [nameMessage];
  return [...size, ...form].map((message) => `name part ${message}`);
}

/** A label key that must have its prefix. Upstream: `IsPrefixedLabelKey`. */
export function prefixedLabelKeyErrors(value: string): string[] {
  const errors = labelKeyErrors(value);
  if (errors.length > 0 || value.includes('/')) return errors;
  return ["must include a prefix (e.g. 'example.com/key')"];
}

/** A label value, which may be empty. Upstream: `IsLabelValue`, also known as `IsValidLabelValue`. */
export function labelValueErrors(value: string): string[] {
  const errors = lengthErrors(value, nameLimit, 'bytes');
  return value === '' || isName(value) ? errors : [...errors, valueMessage];
}

function dnsLabelErrors(value: string, unit: LengthUnit): string[] {
  const errors = lengthErrors(value, nameLimit, unit);
  if (matchesDnsLabel(value)) return errors;
  return [...errors, matchesDnsSubdomain(value) ? 'must not contain dots' : dnsLabelMessage];
}

function dnsSubdomainErrors(value: string, unit: LengthUnit): string[] {
  const errors = lengthErrors(value, subdomainLimit, unit);
  return matchesDnsSubdomain(value) ? errors : [...errors, dnsSubdomainMessage];
}

/** Upstream: `IsDNS1123Label` of the older package. */
export function dns1123LabelErrors(value: string): string[] {
  return dnsLabelErrors(value, 'characters');
}

/** Upstream: `IsDNS1123Subdomain` of the older package. */
export function dns1123SubdomainErrors(value: string): string[] {
  return dnsSubdomainErrors(value, 'characters');
}

/** Upstream: `IsDNS1123Label` of the newer package. */
export function contentDns1123LabelErrors(value: string): string[] {
  return dnsLabelErrors(value, 'bytes');
}

/** Upstream: `IsDNS1123Subdomain` of the newer package. */
export function contentDns1123SubdomainErrors(value: string): string[] {
  return dnsSubdomainErrors(value, 'bytes');
}

/**
 * A name that may stand as one segment of a path: neither `.` nor `..`, without `/` and `%`. The
 * empty name is valid.
 *
 * Upstream: `IsPathSegmentName`, also known as `IsValidPathSegmentName`.
 */
export function pathSegmentNameErrors(name: string): string[] {
  return name === '.' || name === '..' ? [`may not be '${name}'`] : pathSegmentPrefixErrors(name);
}

/** Like a path segment's name, but something may follow, so that `.` is no harm. */
export function pathSegmentPrefixErrors(name: string): string[] {
  const illegal = ['/', '%'].filter((part) => name.includes(part));
  return illegal.map((part) => `may not contain '${part}'`);
}

/**
 * A namespace's name. With `prefix` something will be appended to it, so a dash may end it.
 *
 * Upstream: `ValidateNamespaceName` (`k8s.io/apimachinery/pkg/api/validation`).
 */
export function namespaceNameErrors(name: string, prefix = false): string[] {
  return dns1123LabelErrors(prefix ? maskTrailingDash(name) : name);
}

/** Upstream puts one letter in the place of the last two characters, and so does this. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
