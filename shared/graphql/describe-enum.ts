import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import { declareLabels, type Label } from './labels.js';

/** Registers an enum with descriptions. @param labels what pages show: object types then have a `<name>Label` for each field of it (`labels.ts`) */
export function describeEnum<V extends string>(
  name: string,
  description: string,
  values: Readonly<Record<V, string>>,
  labels?: Readonly<Record<V, Label>>,
): Readonly<Record<V, V>> {
  const names = Object.keys(values) as V[];
  // Each name is its own value, which the type of `Object.fromEntries` cannot express.
  const made = Object.fromEntries(names.map((value) => [value, value])) as Record<V, V>;
  const valuesConfig: Partial<Record<V, { description: string }>> = {};
  for (const value of names) valuesConfig[value] = { description: values[value] };
  registerEnumType(made, { name, description, valuesConfig });
  if (labels !== undefined) declareLabels(name, labels);
  return made;
}
