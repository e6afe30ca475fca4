import { utf8 } from '../../../server/common/bytes';
import { attributesOf, decodeObject, readFields } from '../../../server/kube/decode/object';
import { selectableFieldsOf } from '../../../server/kube/fields/selectableFields';
import { parseFieldSelector, parseLabelSelector } from '../../../server/kube/selectors';
import { matchesAttributes } from '../../../server/store/predicate';
import { defineTopic } from '../harness';
import { text } from '../read';

const pods = selectableFieldsOf({ group: '', resource: 'pods' }, true);

export const run = defineTopic({
  actual: ({ input }) => {
    const object = decodeObject(utf8(text(input, 'value')), pods);
    readFields(object);
    const selectors = {
      label: parseLabelSelector(text(input, 'labelSelector')),
      field: parseFieldSelector(text(input, 'fieldSelector')),
    };
    return { selected: matchesAttributes(selectors, attributesOf(object)) };
  },
});
