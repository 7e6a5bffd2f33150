import 'reflect-metadata';
import { ArgsType, Directive, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost, type Constraint } from './constraint.js';
import { PublishedLabel } from './labels.js';
import { DateScalar, DateTimeScalar, DecimalScalar, MonthScalar } from './scalars.js';

type TypeThunk = NonNullable<Parameters<typeof Field>[0]>;

/** A field or argument: what the graph says of it, and the type of its value. */
interface FieldOf<Value> {
  readonly type: TypeThunk;
  readonly description: string;
  readonly nullable: boolean;
  readonly more: More;
  /** Never set: it carries the type. */
  readonly value?: Value;
}

interface More extends Constraint {
  readonly assumedSize?: number;
  readonly defaultValue?: unknown;
  /** The property with the label that an operator published (`labels.ts`). */
  readonly publishedLabel?: string;
}

type Declared = Readonly<Record<string, FieldOf<unknown>>>;
type ValueOf<Declaration> = Declaration extends FieldOf<infer Value> ? Value : never;
type ValuesOf<Fields> = { [Name in keyof Fields]: ValueOf<Fields[Name]> };
type IsOptional<Declaration> = null extends ValueOf<Declaration> ? true : false;

/** The values of inputs: what may be null may be omitted. */
export type InputsOf<Fields> = {
  [Name in keyof Fields as IsOptional<Fields[Name]> extends true ? never : Name]: ValueOf<Fields[Name]>;
} & { [Name in keyof Fields as IsOptional<Fields[Name]> extends true ? Name : never]?: ValueOf<Fields[Name]> };

/**
 * Makes the class of an object type from its fields, each of which is declared once. The class that names the type extends it:
 * `@ObjectType({ simpleResolvers: true, description: 'A band.' }) class Band extends fields({ label: text('Its name') }) {}`.
 * @param base another object type, whose fields come first
 */
export function fields<Fields extends Declared, Base extends object = object>(
  declared: Fields,
  base?: abstract new () => Base,
): abstract new () => Base & ValuesOf<Fields> {
  return declare(ObjectType({ simpleResolvers: true }), declared, base) as abstract new () => Base & ValuesOf<Fields>;
}

/** Makes the class of an input type in the same way: `@InputType({ description: 'A price.' }) class PriceInput extends inputs({ … }) {}`. */
export function inputs<Fields extends Declared>(declared: Fields): abstract new () => InputsOf<Fields> {
  return declare(InputType(), declared) as abstract new () => InputsOf<Fields>;
}

/** Makes the class of arguments in the same way: `@ArgsType() class PriceArgs extends args({ … }) {}`. */
export function args<Fields extends Declared>(declared: Fields): abstract new () => InputsOf<Fields> {
  return declare(ArgsType(), declared) as abstract new () => InputsOf<Fields>;
}

function declare(decorate: ClassDecorator, declared: Declared, base: abstract new () => object = Object): unknown {
  @decorate
  abstract class Declared extends base {}
  for (const [name, { type, description, nullable, more }] of Object.entries(declared)) {
    const { assumedSize, defaultValue, publishedLabel, ...constraint } = more;
    Field(type, { description, nullable, defaultValue })(Declared.prototype, name);
    if (assumedSize !== undefined)
      Directive(`@listSize(assumedSize: ${String(assumedSize)})`)(Declared.prototype, name);
    if (publishedLabel !== undefined) PublishedLabel(publishedLabel)(Declared.prototype, name);
    if (Object.keys(constraint).length > 0) AtMost(constraint)(Declared.prototype, name);
  }
  return Declared;
}

type Instances<Instance> = () => abstract new (...given: never[]) => Instance;
type Names<Name extends string> = () => Readonly<Record<Name, Name>>;

interface Of<Absent> {
  <Instance extends object>(type: Instances<Instance>, description: string, more?: More): FieldOf<Instance | Absent>;
  <Name extends string>(type: Names<Name>, description: string, more?: More): FieldOf<Name | Absent>;
  <Value>(type: () => unknown, description: string, more?: More): FieldOf<Value | Absent>;
}

interface List<Absent> {
  <Instance extends object>(
    type: Instances<Instance>,
    description: string,
    more?: More,
  ): FieldOf<readonly Instance[] | Absent>;
  <Name extends string>(type: Names<Name>, description: string, more?: More): FieldOf<readonly Name[] | Absent>;
  <Item>(type: () => unknown, description: string, more?: More): FieldOf<readonly Item[] | Absent>;
}

/** Makes the functions that declare fields, whose values are null as well where `Absent` is null. */
function kinds<Absent>(nullable: boolean) {
  const scalar =
    <Value>(type: TypeThunk) =>
    (description: string, more: More = {}): FieldOf<Value | Absent> => ({ type, description, nullable, more });
  const of: Of<Absent> = (type: () => unknown, description: string, more?: More) =>
    scalar<never>(type as TypeThunk)(description, more);
  const list: List<Absent> = (type: () => unknown, description: string, more?: More) =>
    scalar<never>((() => [type()]) as TypeThunk)(description, more);
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
    texts: scalar<readonly string[]>(() => [String]),
  };
}

export const { of, list, text, id, int, float, flag, decimal, day, month, time, texts } = kinds<never>(false);

/** The same fields where the value may be null. */
export const nullable = kinds<null>(true);
