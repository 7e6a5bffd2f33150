import {
  Arg,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { loaderOf, type Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { Access } from '../../shared/graphql/access.js';
import { buildSubgraph, type BuiltSubgraph } from '../../shared/graphql/build.js';

/** A subgraph of the tests: it knows what readers think of books. Its class has the same GraphQL name as the library's. */
@ObjectType({ description: 'A book', simpleResolvers: true })
@Directive('@key(fields: "id")')
class Book {
  @Field(() => ID, { description: 'Its id' })
  id!: string;
}

@ObjectType({ description: 'A film', simpleResolvers: true })
@Directive('@key(fields: "id")')
class Film {
  @Field(() => ID, { description: 'Its id' })
  id!: string;

  @Field(() => Int, { description: 'Who saw it', nullable: true })
  audience!: number | null;
}

@ObjectType({ description: 'A review', simpleResolvers: true })
class Review {
  @Field(() => Int, { description: 'From 1 to 5' })
  stars!: number;

  @Field(() => Book, { description: 'Of which book' })
  book!: Pick<Book, keyof Book>;
}

/** What resolvers return for a GraphQL class: any object of its shape. */
type Shape<T> = Pick<T, keyof T>;

/** How often ratings were loaded, so that a test can see the batch. */
export const ratingLoads: string[][] = [];

function ratings(_context: Context, ids: readonly string[]): Promise<readonly number[]> {
  ratingLoads.push([...ids]);
  return Promise.resolve(ids.map((id) => Number(id) + 2));
}

@Resolver(() => Book)
class ReviewResolver {
  @Access('anyone')
  @Query(() => [Review], { description: 'The best reviews' })
  bestReviews(): Shape<Review>[] {
    return [
      { stars: 5, book: { id: '1' } },
      { stars: 4, book: { id: '3' } },
    ];
  }

  @Access('anyone')
  @Query(() => [Book], { description: 'Books of which readers speak, known to the library or not', nullable: 'items' })
  discussed(): (Shape<Book> | null)[] {
    return ['1', '404', null, '2', 'lost', '3'].map((id) => (id === null ? null : { id }));
  }

  @Access('anyone')
  @Query(() => [[Review]], { description: 'Reviews by round' })
  rounds(): Shape<Review>[][] {
    return [this.bestReviews(), [], [{ stars: 1, book: { id: '2' } }]];
  }

  @FieldResolver(() => Book, { description: 'What to read next', nullable: true })
  next(@Root() book: Shape<Book>): Shape<Book> | null {
    const id = { '1': '3', '2': '404', '404': '1' }[book.id];
    return id === undefined ? null : { id };
  }

  @FieldResolver(() => String, { description: 'Fails for one book' })
  verdict(@Root() book: Shape<Book>): string {
    if (book.id === '2') throw new ApiError('UNPROCESSABLE', { message: 'No verdict' });
    return `Verdict ${book.id}`;
  }

  @FieldResolver(() => Int, { description: 'Mean of the stars' })
  rating(@Ctx() context: Context, @Root() book: Shape<Book>): Promise<number> {
    return loaderOf(context, ratings).load(book.id);
  }

  @FieldResolver(() => Int, { description: 'Fails for one book', nullable: true })
  dispute(@Root() book: Shape<Book>): number {
    if (book.id === '2') throw new ApiError('CONFLICT', { message: 'Disputed' });
    return 0;
  }

  @Access('session')
  @FieldResolver(() => Boolean, { description: 'Whether the caller liked it' })
  likedByMe(@Root() book: Shape<Book>): boolean {
    return book.id === '1';
  }

  @Access('session')
  @Mutation(() => Review, { description: 'Reviews a book' })
  review(@Arg('bookId', () => ID) bookId: string, @Arg('stars', () => Int) stars: number): Shape<Review> {
    return { stars, book: { id: bookId } };
  }
}

export function reviewsSubgraph(): BuiltSubgraph {
  return buildSubgraph({
    name: 'reviews',
    resolvers: [new ReviewResolver()],
    orphanedTypes: [Film],
    references: {
      Film: { access: 'anyone', resolve: (_context, { id }) => ({ id, audience: id === '8' ? 5000 : null }) },
      Book: { access: 'anyone', resolve: (_context, { id }) => (id === 'gone' ? null : { id }) },
    },
  });
}
