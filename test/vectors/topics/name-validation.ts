import * as names from '../../../server/kube/selectors';
import { defineTopic, UnknownShape } from '../harness';
import { text } from '../read';

const checks = new Map<string, (value: string) => string[]>([
  ['labelKey', names.labelKeyErrors],
  ['prefixedLabelKey', names.prefixedLabelKeyErrors],
  ['labelValue', names.labelValueErrors],
  ['dns1123Label', names.dns1123LabelErrors],
  ['dns1123Subdomain', names.dns1123SubdomainErrors],
  ['contentDns1123Label', names.contentDns1123LabelErrors],
  ['contentDns1123Subdomain', names.contentDns1123SubdomainErrors],
  ['pathSegmentName', names.pathSegmentNameErrors],
  ['pathSegmentPrefix', names.pathSegmentPrefixErrors],
]);

export const run = defineTopic({
  actual: ({ input }) => {
    const check = checks.get(text(input, 'check'));
    if (check === undefined) throw new UnknownShape(`no check ${text(input, 'check')}`);
    return { errors: check(text(input, 'value')) };
  },
});
