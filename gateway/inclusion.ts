import { Variable, type Field, type FragmentElement, type Schema } from '@apollo/federation-internals';
import type { Variables } from '../shared/subgraph/variables.js';

/** Whether a selection is included: always, never, or depending on the variables. */
export type Inclusion = boolean | ((variables: Variables) => boolean);

/** Compiles `@skip` and `@include` of a selection. */
export function inclusionOf(schema: Schema, element: Field | FragmentElement): Inclusion {
  const conditions: ((variables: Variables) => boolean)[] = [];
  for (const [directive, wanted] of [
    [schema.skipDirective(), false],
    [schema.includeDirective(), true],
  ] as const) {
    const [applied] = element.appliedDirectivesOf<{ if: unknown }>(directive);
    if (applied === undefined) continue;
    const condition = applied.arguments().if;
    if (condition instanceof Variable) conditions.push((variables) => variables[condition.name] === wanted);
    else if (condition !== wanted) return false;
  }
  return conditions.length === 0 || ((variables) => conditions.every((holds) => holds(variables)));
}
