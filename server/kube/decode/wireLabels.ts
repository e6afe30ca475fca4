/**
 * Labels of a protobuf object, looked up where they stand. Most objects of a filtered list are asked
 * for a label or two and dropped, so nothing is made of the others.
 */
import { isAscii } from '../../common/bytes';
import { LazySet } from './lazySet';
import type { StringSet } from '../selectors/types';
import { findLabel } from './skim';
import { WireReader } from './wire';

export class WireLabels extends LazySet {
  private known: StringSet | undefined;

  /** `raw` is a plainly sound object, `object` what has a map of its labels. */
  constructor(
    private readonly raw: Uint8Array,
    private readonly object: { readonly metadata: { readonly labels: StringSet } },
  ) {
    super();
  }

  override get(key: string): string | undefined {
    if (this.known !== undefined || !isAscii(key)) return this.all.get(key);
    const found = findLabel(this.raw, key);
    return found && new WireReader(this.raw).textAt(found.start, found.end);
  }

  override get all(): StringSet {
    return (this.known ??= this.object.metadata.labels);
  }
}
