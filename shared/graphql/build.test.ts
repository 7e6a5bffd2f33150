import { describe, expect, test } from '@jest/globals';
import { Directive, Field, ID, ObjectType, Query, Resolver, createUnionType } from 'type-graphql';
import { librarySubgraph } from '../../tests/graph/library.js';
import { reviewsSubgraph } from '../../tests/graph/reviews.js';
import { Access } from './access.js';
import { buildSubgraph } from './build.js';

@Resolver()
class Undeclared {
  @Query(() => String)
  open(): string {
    return 'interface';
  }
}

@ObjectType()
@Directive('@key(fields: "id")')
class Stray {
  @Field(() => ID)
  id!: string;
}

@Resolver()
class Strays {
  @Access('anyone')
  @Query(() => Stray, { nullable: true })
  stray(): Stray | null {
    return null;
  }
}

const Slow = createUnionType({ name: 'Slow', types: () => [Stray] as const, resolveType: () => Stray });

@Resolver()
class Slows {
  @Access('anyone')
  @Query(() => Slow, { nullable: true })
  slow(): Stray | null {
    return null;
  }
}

const strays = { Stray: { access: 'anyone', resolve: () => null } } as const;

describe('a subgraph built from resolver classes', () => {
  test('holds only what its own classes reach, though two have a type of the same name', () => {
    const [library, reviews] = [librarySubgraph(), reviewsSubgraph()];
    expect(library.sdl).toContain('type Book implements Work @key(fields: "id") {');
    expect(reviews.sdl).toContain('type Book @key(fields: "id") {');
    expect(library.sdl).not.toContain('rating');
    expect(reviews.sdl).not.toContain('title');
  });

  test('prints the same text however often it is built, with arguments as they are declared', () => {
    const { sdl } = librarySubgraph();
    expect(librarySubgraph().sdl).toBe(sdl);
    const told = sdl.replace(/""".*?"""/gs, '').replace(/\s+/g, ' ');
    expect(told).toContain(
      'note( text: String! @constraint(maxLength: 1000) fail: String @constraint(maxLength: 1000) ): String',
    );
  });

  test('is refused when a root field does not declare its access', () => {
    expect(() => buildSubgraph({ name: 'x', resolvers: [new Undeclared()] })).toThrow(
      'x: Query.open must declare its @Access',
    );
  });

  test('is refused when an entity has no reference rule, or a rule no entity', () => {
    expect(() => buildSubgraph({ name: 'x', resolvers: [new Strays()] })).toThrow(
      'references has no rule for the entity Stray',
    );
    expect(() =>
      buildSubgraph({ name: 'x', resolvers: [new Strays()], references: { ...strays, Ghost: strays.Stray } }),
    ).toThrow('references has a rule for Ghost');
  });

  test('is refused when a union finds its type asynchronously', () => {
    expect(() => buildSubgraph({ name: 'x', resolvers: [new Slows()], references: strays })).toThrow(
      'leave resolveType out of Slow',
    );
  });
});
