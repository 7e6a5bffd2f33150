import 'reflect-metadata';
import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar, MonthScalar } from './scalars.js';

type TypeThunk = NonNullable<Parameters<typeof Field>[0]>;

/** A field of an object type: what the graph says of it, and the type of its value. */
interface FieldOf<Value> {
  readonly type: TypeThunk;
  readonly description: string;
  readonly nullable: boolean;
  readonly listSize: ListSize | undefined;
  /** Never set: it carries the type. */
  readonly value?: Value;
}

/** The size of a list that the cost of an operation assumes. */
interface ListSize {
  readonly assumedSize: number;
}

type ValuesOf<Fields> = { [Name in keyof Fields]: Fields[Name] extends FieldOf<infer Value> ? Value : never };

/**
 * Makes the class of an object type from its fields, each of which is declared once. The class that names the type extends it:
 * `@ObjectType({ simpleResolvers: true, description: 'A band.' }) class Band extends fields({ label: text('Its name') }) {}`.
 */
export function fields<Fields extends Readonly<Record<string, FieldOf<unknown>>>>(
  declared: Fields,
): abstract new () => ValuesOf<Fields> {
  @ObjectType({ simpleResolvers: true })
  abstract class Declared {}
  for (const [name, { type, description, nullable, listSize }] of Object.entries(declared)) {
    Field(type, { description, nullable })(Declared.prototype, name);
    if (listSize !== undefined)
      Directive(`@listSize(assumedSize: ${String(listSize.assumedSize)})`)(Declared.prototype, name);
  }
  return Declared as abstract new () => ValuesOf<Fields>;
}

type Instances<Instance> = () => abstract new (...given: never[]) => Instance;
type Names<Name extends string> = () => Readonly<Record<Name, Name>>;

/** A field of a class, of an enum, or of another type whose values have the type that is named. */
interface Of<Absent> {
  <Instance extends object>(type: Instances<Instance>, description: string): FieldOf<Instance | Absent>;
  <Name extends string>(type: Names<Name>, description: string): FieldOf<Name | Absent>;
  <Value>(type: () => unknown, description: string): FieldOf<Value | Absent>;
}

/** A field with a list of these. */
interface List<Absent> {
  <Instance extends object>(
    type: Instances<Instance>,
    description: string,
    size?: ListSize,
  ): FieldOf<readonly Instance[] | Absent>;
  <Name extends string>(type: Names<Name>, description: string): FieldOf<readonly Name[] | Absent>;
  <Item>(type: () => unknown, description: string, size?: ListSize): FieldOf<readonly Item[] | Absent>;
}

/** Makes the functions that declare fields, whose values are null as well where `Absent` is null. */
function kinds<Absent>(nullable: boolean) {
  const scalar =
    <Value>(type: TypeThunk) =>
    (description: string): FieldOf<Value | Absent> => ({ type, description, nullable, listSize: undefined });
  const of: Of<Absent> = (type: () => unknown, description: string) => scalar<never>(type as TypeThunk)(description);
  const list: List<Absent> = (type: () => unknown, description: string, listSize?: ListSize) => ({
    ...scalar<never>((() => [type()]) as TypeThunk)(description),
    listSize,
  });
  return {
    of,
    list,
    text: scalar<string>(() => String),
    id: scalar<string>(() => ID),
    int: scalar<number>(() => Int),
    float: scalar<number>(() => Float),
    flag: scalar<boolean>(() => Boolean),
    decimal: scalar<string>(() => DecimalScalar),
    day: scalar<string>(() => DateScalar),
    month: scalar<string>(() => MonthScalar),
    time: scalar<Date>(() => DateTimeScalar),
    texts: (description: string): FieldOf<readonly string[] | Absent> => list<string>(() => String, description),
  };
}

/** Fields by the type of their values. */
export const { of, list, text, id, int, float, flag, decimal, day, month, time, texts } = kinds<never>(false);

/** The same fields where the value may be null. */
export const nullable = kinds<null>(true);
