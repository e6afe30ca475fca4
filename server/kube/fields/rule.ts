/** How one selectable field is found in stored bytes. */

/** One place a field's value may stand. */
export interface FieldSource {
  /** Protobuf field numbers from the object's own message down. */
  readonly wire: readonly number[];
  /** Member names from the object down; a number is an index into a list. */
  readonly json: readonly (string | number)[];
}

export interface FieldRule {
  /** The internal label, such as `spec.nodeName`. */
  readonly name: string;
  /** `any` prints whatever JSON scalar stands there, for custom resources. */
  readonly type: 'text' | 'bool' | 'int32' | 'any';
  /** The first one that is not empty counts. */
  readonly sources: readonly FieldSource[];
  /** What upstream's defaulting gives when every source is empty. */
  readonly absent: string;
}
