/** Which places each open document has asked for, as it is now. */
import type { Asker } from '../../language/index/storedLabels';

export class Askers {
  private readonly asked = new Map<
    string,
    { readonly version: number; readonly ids: Set<string> }
  >();

  /** Whether this version of the document asks for the place for the first time. */
  isNew({ uri, version }: Asker, id: string): boolean {
    const known = this.asked.get(uri);
    if (known !== undefined && version < known.version) return false;
    const ids = known?.version === version ? known.ids : new Set<string>();
    if (ids.has(id)) return false;
    this.asked.set(uri, { version, ids: ids.add(id) });
    return true;
  }

  forget(uri: string): void {
    this.asked.delete(uri);
  }
}
