/** The descriptor as data to decode by. Its notation is explained here, and written elsewhere. */
import { MESSAGES } from './descriptor';

export type Scalar =
  | 'string'
  | 'bytes'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'time'
  | 'microtime'
  | 'quantity'
  | 'intstr'
  | 'fieldsv1';

/** In Go: a pointer, whose zero is told from its absence; a slice; a map with texts as keys. */
export type Container = 'one' | 'pointer' | 'list' | 'map';

export interface Field {
  /** Position among the fields of its shape. */
  readonly at: number;
  readonly number: number;
  /** The member's name in JSON; empty when the members of `type` take its place. */
  readonly name: string;
  /** Go's name of the field, which upstream's errors use. */
  readonly goName: string;
  readonly container: Container;
  readonly type: Scalar | ShapeName;
  /** JSON holds the member also when it is zero. */
  readonly keep: boolean;
}

export interface ShapeName {
  readonly message: string;
}

export interface Shape {
  /** The type's name in Go, which upstream's errors use. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** Members that JSON holds of an empty one. */
  readonly kept: number;
}

const SCALARS: ReadonlySet<string> = new Set<Scalar>([
  'string',
  'bytes',
  'bool',
  'int32',
  'int64',
  'time',
  'microtime',
  'quantity',
  'intstr',
  'fieldsv1',
]);

/**
 * A line is `MESSAGE: FIELD, FIELD…`, and a field
 * `NUMBER NAME[/GO] [CONTAINER]TYPE[!]`: GO where Go's name is not NAME with a capital first
 * letter, NAME `^` for members that stand among those around them, CONTAINER `*`, `[]` or `{}`,
 * `!` when the member is printed even if zero.
 */
const FIELD = /^(\d+) (\^|\w+)(?:\/(\w+))? (\*|\[\]|\{\})?([\w.]+)(!?)$/;

const CONTAINERS: ReadonlyMap<string, Container> = new Map([
  ['*', 'pointer'],
  ['[]', 'list'],
  ['{}', 'map'],
]);

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  MESSAGES.map((line) => {
    const [message = '', fields = ''] = line.split(': ');
    return [message, readShape(message, fields)];
  }),
);

function readShape(message: string, text: string): Shape {
  const fields = text === '' ? [] : text.split(', ').map(readField);
  const byNumber = new Map(fields.map((field) => [field.number, field]));
  const kept = fields.filter(({ keep }) => keep).length;
  return { name: message.slice(message.lastIndexOf('.') + 1), fields, byNumber, kept };
}

function readField(text: string, at: number): Field {
  const [, number, name = '', goName, container = '', type = '', keep] = FIELD.exec(text) ?? [];
  if (number === undefined) throw new Error(`the descriptor is malformed: ${text}`);
  return {
    at,
    number: Number(number),
    name: name === '^' ? '' : name,
    goName: goName ?? name.charAt(0).toUpperCase() + name.slice(1),
    container: CONTAINERS.get(container) ?? 'one',
    type: isScalar(type) ? type : { message: type },
    keep: keep === '!',
  };
}

function isScalar(type: string): type is Scalar {
  return SCALARS.has(type);
}

export function shapeOf({ message }: ShapeName): Shape {
  const shape = SHAPES.get(message);
  if (shape === undefined) throw new Error(`the descriptor lacks ${message}`);
  return shape;
}
