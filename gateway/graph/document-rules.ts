import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  type ASTVisitor,
  type DirectiveNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/**
 * Validates that a subscription has one field at its root, and that nothing there depends on a condition, fragments included (GraphQL of September 2025,
 * §5.2.4.1). GraphQL's own rule only counts, and throws where the condition is a variable.
 */
function unconditionalSubscription(context: ValidationContext): ASTVisitor {
  const own = SingleFieldSubscriptionsRule(context);
  const counts = 'OperationDefinition' in own ? own.OperationDefinition : undefined;
  const conditionsIn = ({ selections }: SelectionSetNode, within: ReadonlySet<string>): DirectiveNode[] =>
    selections.flatMap((node) => [
      ...(node.directives ?? []).filter(({ name }) => name.value === 'skip' || name.value === 'include'),
      ...conditionsBelow(node, within),
    ]);
  const conditionsBelow = (node: SelectionNode, within: ReadonlySet<string>): DirectiveNode[] => {
    if (node.kind === Kind.FIELD) return [];
    if (node.kind === Kind.INLINE_FRAGMENT) return conditionsIn(node.selectionSet, within);
    const name = node.name.value;
    const fragment = within.has(name) ? undefined : context.getFragment(name);
    return fragment == null ? [] : conditionsIn(fragment.selectionSet, new Set([...within, name]));
  };
  return {
    OperationDefinition: (node, ...place) => {
      const isSubscription = node.operation === OperationTypeNode.SUBSCRIPTION;
      const conditions = new Set(isSubscription ? conditionsIn(node.selectionSet, new Set()) : []);
      for (const directive of conditions) {
        const message = `@${directive.name.value} must not stand at the root of a subscription`;
        context.reportError(new GraphQLError(message, { nodes: directive }));
      }
      if (conditions.size === 0 && typeof counts === 'function') counts(node, ...place);
    },
  };
}

/** The rules that a document has to keep. */
export const documentRules = specifiedRules.map((rule) =>
  rule === SingleFieldSubscriptionsRule ? unconditionalSubscription : rule,
);
