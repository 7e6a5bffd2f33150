import 'reflect-metadata';
import {
  Kind,
  visit,
  type ConstDirectiveNode,
  type DocumentNode,
  type InputValueDefinitionNode,
  type TypeNode,
} from 'graphql';
import { Directive } from 'type-graphql';

export interface Constraint {
  /** Maximum characters of a text, or of each text in a list. */
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The limits where none are declared, so that every argument has one. */
export const defaultConstraint = { maxLength: 1_000, idLength: 100, maxItems: 100 } as const;

/** Maximum characters of a file sent as text: equal to the bytes of the largest unpacked body. */
export const maxFileLength = 64 * 1_048_576;

/** Carries the constraints into the supergraph: a custom directive that composition keeps. */
export const constraintLink = `extend schema
  @link(url: "https://lastro.localhost/constraint/v1.0", import: ["@constraint"])
  @composeDirective(name: "@constraint")
directive @constraint(maxLength: Int, maxItems: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION`;

/** Declares the limits of an argument or input field that differ from the default. The gateway rejects anything larger (400) before any other processing. */
export function AtMost({ maxLength, maxItems }: Constraint): ReturnType<typeof Directive> {
  const bounds = [
    ...(maxLength === undefined ? [] : [`maxLength: ${maxLength}`]),
    ...(maxItems === undefined ? [] : [`maxItems: ${maxItems}`]),
  ];
  return Directive(`@constraint(${bounds.join(', ')})`);
}

/** Adds the constraint to every argument and input field that is a text or a list, and states it in the description unless that names a number already. */
export function withConstraints(typeDefs: DocumentNode): DocumentNode {
  return visit(typeDefs, {
    DirectiveDefinition: () => false,
    InputValueDefinition: (node) => constrained(node),
  });
}

function constrained(node: InputValueDefinitionNode): InputValueDefinitionNode {
  const { name, list } = typeIn(node.type);
  const declared = node.directives?.find((directive) => directive.name.value === 'constraint');
  const declaredBounds = declaredIn(declared);
  const isText = name === 'String' || name === 'ID';
  const maxLength =
    declaredBounds.maxLength ?? (name === 'ID' ? defaultConstraint.idLength : defaultConstraint.maxLength);
  const maxItems = declaredBounds.maxItems ?? defaultConstraint.maxItems;
  if (!isText && !list) return node;
  const constraint = { ...(isText ? { maxLength } : {}), ...(list ? { maxItems } : {}) };
  const sentences = [
    ...(name === 'String' ? [{ count: maxLength, of: 'characters' as const }] : []),
    ...(list ? [{ count: maxItems, of: 'items' as const }] : []),
  ];
  const others = (node.directives ?? []).filter((directive) => directive !== declared);
  return {
    ...node,
    directives: [...others, directiveOf(constraint)],
    ...describedBy(node, sentences),
  };
}

function typeIn(type: TypeNode): { readonly name: string; readonly list: boolean } {
  if (type.kind === Kind.NAMED_TYPE) return { name: type.name.value, list: false };
  const inner = typeIn(type.type);
  return { name: inner.name, list: inner.list || type.kind === Kind.LIST_TYPE };
}

function declaredIn(directive: ConstDirectiveNode | undefined): Constraint {
  const entries = (directive?.arguments ?? []).map(({ name, value }) => [
    name.value,
    value.kind === Kind.INT ? Number(value.value) : undefined,
  ]);
  return Object.fromEntries(entries) as Constraint;
}

function directiveOf(constraint: Constraint): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: 'constraint' },
    arguments: Object.entries(constraint).map(([name, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: name },
      value: { kind: Kind.INT, value: String(value) },
    })),
  };
}

/** Matches descriptions that state a limit already: a domain's rule may be narrower than the constraint. */
const saysBound = { characters: /\d characters/, items: /(at most|\d to) [\d,]+/ };

/** Completes the description with the limits that it does not state yet. */
function describedBy(
  { description }: InputValueDefinitionNode,
  bounds: readonly { readonly count: number; readonly of: keyof typeof saysBound }[],
): Pick<InputValueDefinitionNode, 'description'> {
  const text = description?.value ?? '';
  const missing = bounds.filter(({ of }) => !saysBound[of].test(text));
  if (missing.length === 0) return {};
  const sentence = `At most ${missing.map(({ count, of }) => `${count.toLocaleString('en')} ${of}`).join(' each, and ')}.`;
  const value = text === '' ? sentence : `${/[.!?]$/.test(text) ? text : `${text}.`} ${sentence}`;
  return { description: { kind: Kind.STRING, value, block: true } };
}
