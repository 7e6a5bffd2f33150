import {
  Arg,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  InterfaceType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
  Subscription,
  createUnionType,
} from 'type-graphql';
import { mapStream } from '../../shared/kernel/async-iterator.js';
import { streamOf } from '../kit/stream-of.js';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { Access } from '../../shared/graphql/access.js';
import { buildSubgraph, type BuiltSubgraph } from '../../shared/graphql/build.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../shared/graphql/scalars.js';

/** A subgraph of the tests: it owns books. */
enum Binding {
  HARD = 'hard',
  SOFT = 'soft',
}
registerEnumType(Binding, { name: 'Binding', description: 'How a book is bound' });

@InterfaceType({ description: 'What the library has' })
abstract class Work {
  @Field(() => ID, { description: 'Its id' })
  id!: string;

  @Field(() => String, { description: 'Its title' })
  title!: string;
}

@ObjectType({ description: 'A film', implements: Work, simpleResolvers: true })
@Directive('@key(fields: "id")')
class Film extends Work {
  readonly __typename = 'Film';

  @Field(() => Int, { description: 'How long it is', nullable: true })
  minutes!: number | null;
}

@ObjectType({ description: 'A book', implements: Work, simpleResolvers: true })
@Directive('@key(fields: "id")')
class Book extends Work {
  @Field(() => DecimalScalar, { description: 'Its price' })
  price!: string;

  @Field(() => DateScalar, { description: 'When it came out', nullable: true })
  published!: string | null;

  @Field(() => Binding, { description: 'Its binding' })
  binding!: Binding;

  @Access('operator', 'read')
  @Field(() => String, { description: 'Who recorded it', nullable: true })
  originator!: string | null;
}

@ObjectType({ description: 'A lending', simpleResolvers: true })
class Loan {
  readonly __typename = 'Loan';

  @Field(() => DateTimeScalar, { description: 'Until when' })
  until!: Date;
}

@ObjectType({ description: 'A place on the shelf', simpleResolvers: true })
class Shelf {
  readonly __typename = 'Shelf';

  @Field(() => Int, { description: 'Which' })
  number!: number;
}

@InputType({ description: 'A range of prices' })
class PriceRange {
  @Field(() => DecimalScalar, { defaultValue: '0.00', description: 'From' })
  min!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'To' })
  max!: string | null;
}

@InputType({ description: 'Which books' })
class BookFilter {
  @Field(() => String, { nullable: true, description: 'Words of the title' })
  text!: string | null;

  @Field(() => [Binding], { defaultValue: [Binding.SOFT], description: 'Any of these' })
  bindings!: Binding[];

  @Field(() => PriceRange, { nullable: true, description: 'Prices' })
  price!: PriceRange | null;
}

const Place = createUnionType({ name: 'Place', description: 'Where a book is', types: () => [Loan, Shelf] as const });

const Find = createUnionType({ name: 'Find', description: 'What was found', types: () => [Book, Film] as const });

@ObjectType({ description: 'Something happened to a book', simpleResolvers: true })
class BookChange {
  @Field(() => String, { description: 'What' })
  what!: string;

  @Field(() => Book, { description: 'To which book' })
  book!: Shape<Book>;
}

/** What resolvers return for a GraphQL class: any object of its shape. */
type Shape<T> = Pick<T, keyof T>;

const books: readonly Shape<Book>[] = [
  {
    id: '1',
    title: 'Dom Casmurro',
    price: '39.90',
    published: '1899-01-01',
    binding: Binding.HARD,
    originator: 'ana',
  },
  { id: '2', title: 'Vidas Secas', price: '29.90', published: null, binding: Binding.SOFT, originator: 'rui' },
  {
    id: '3',
    title: 'Grande Sertão',
    price: '1234567.89',
    published: '1956-05-01',
    binding: Binding.SOFT,
    originator: null,
  },
];

const films: readonly Shape<Film>[] = [
  { __typename: 'Film', id: '8', title: 'Limite', minutes: 114 },
  { __typename: 'Film', id: '9', title: 'Deus e o Diabo', minutes: null },
];

/** An object as it stands where more than one type may stand. */
const named = (id: string) => {
  const book = books.find((one) => one.id === id);
  return book === undefined ? (films.find((one) => one.id === id) ?? null) : { ...book, __typename: 'Book' };
};

@Resolver(() => Book)
class BookResolver {
  constructor(private readonly shelfOf: (id: string) => number) {}

  @Access('anyone')
  @Query(() => Book, { nullable: true, description: 'A book' })
  book(@Arg('id', () => ID) id: string): Shape<Book> | null {
    return books.find((book) => book.id === id) ?? null;
  }

  @Access('anyone')
  @Query(() => [Book], { description: 'The books' })
  books(@Arg('first', () => Int, { defaultValue: 10 }) first: number): readonly Shape<Book>[] {
    return books.slice(0, first);
  }

  @Access('anyone')
  @Query(() => String, { description: 'Everything that a resolver can know about the caller' })
  asker(@Ctx() { principal, ip, userAgent }: Context): string {
    return [principal.kind, principal.id, ip, userAgent ?? '-'].join(' ');
  }

  @Access('anyone')
  @Query(() => Book, { description: 'A book, or a fault' })
  strictBook(@Arg('id', () => ID) id: string): Shape<Book> {
    const book = books.find((one) => one.id === id);
    if (book === undefined) throw new ApiError('NOT_FOUND', { message: 'No such book' });
    return book;
  }

  @Access('anyone')
  @Query(() => [[Book]], { description: 'The books by shelf' })
  shelves(): Shape<Book>[][] {
    return [books.slice(0, 2), [], books.slice(2)];
  }

  @Access('anyone')
  @Query(() => [[Book]], { description: 'Some books by shelf, with gaps', nullable: 'itemsAndList' })
  gaps(): (Shape<Book> | null)[][] {
    return [[null, ...books.slice(1)], books.slice(0, 1)];
  }

  @Access('anyone')
  @Query(() => [Work], { description: 'Of everything something', nullable: 'items' })
  works(): (Shape<Work> | null)[] {
    return [named('8'), named('2'), null, named('1'), named('9')];
  }

  @Access('anyone')
  @Query(() => Find, { description: 'A book or a film', nullable: true })
  find(@Arg('id', () => ID) id: string): Shape<Book> | Shape<Film> | null {
    return named(id);
  }

  @Access('session')
  @Query(() => String, { description: 'Who reads' })
  reader(@Ctx() context: Context): string {
    return context.principal.ownerId;
  }

  @Access('anyone')
  @Query(() => String, { description: 'Always fails inside' })
  broken(): string {
    throw new Error('secret: connection string postgres://lastro@db');
  }

  @Access('anyone')
  @Query(() => DecimalScalar, { description: 'Gives back what it is given' })
  echo(@Arg('price', () => DecimalScalar, { defaultValue: '1.50' }) price: string): string {
    return price;
  }

  @Access('anyone')
  @Query(() => String, { description: 'Says what it is asked' })
  search(@Arg('filter', () => BookFilter, { nullable: true }) filter: Shape<BookFilter> | null): string {
    return JSON.stringify(filter);
  }

  @FieldResolver(() => Place, { description: 'Where it is' })
  place(@Root() book: Shape<Book>): Shape<Loan> | Shape<Shelf> {
    return book.id === '2'
      ? { __typename: 'Loan', until: new Date('2026-01-02T03:04:05Z') }
      : { __typename: 'Shelf', number: this.shelfOf(book.id) };
  }

  @FieldResolver(() => [Book], { description: 'Others' })
  async others(
    @Root() book: Shape<Book>,
    @Arg('limit', () => Int, { defaultValue: 5 }) limit: number,
  ): Promise<Shape<Book>[]> {
    await Promise.resolve();
    return books.filter((other) => other.id !== book.id).slice(0, limit);
  }

  @Access('session')
  @Mutation(() => String, { description: 'Notes something in the outbox and answers with it' })
  async note(
    @Ctx() context: Context,
    @Arg('text', () => String) text: string,
    @Arg('fail', () => String, { nullable: true }) fail: string | null,
  ): Promise<string> {
    await context.manager.query(
      `INSERT INTO shared.outbox (id, topic, key, payload, created_at) VALUES (gen_random_uuid(), 'note', $1, '{}', now())`,
      [text],
    );
    if (fail === 'fault') throw new ApiError('UNPROCESSABLE', { message: 'Not that' });
    if (fail === 'sql') {
      await context.manager.query('SELECT 1/0').catch(() => {
        throw new ApiError('CONFLICT', { message: 'Divided' });
      });
    }
    if (fail === 'swallowed') await context.manager.query('SELECT 1/0').catch(() => undefined);
    if (fail === 'limit') throw new ApiError('TOO_MANY_REQUESTS', { retryAfterSeconds: 7 });
    if (fail === 'crash') throw new Error('secret detail');
    await context.bus.publish('book', { id: '1', what: text });
    return text;
  }

  @Access('data')
  @Subscription(() => BookChange, {
    description: 'What happens to a book',
    subscribe: ({ args, context }) => changesOf(context as Context, (args as { id: string }).id),
  })
  bookChanged(@Root() change: Shape<BookChange>, @Arg('id', () => ID) id: string): Shape<BookChange> {
    return { ...change, what: `${change.what} (${id})` };
  }
}

async function changesOf(context: Context, id: string): Promise<AsyncIterableIterator<Shape<BookChange>>> {
  return mapStream(await streamOf(context.bus, 'book', 8), (event) => {
    const change = event as { id: string; what: string };
    const book = books.find((one) => one.id === id);
    if (change.what === 'crash') throw new Error('secret: the stream broke');
    return book === undefined || change.id !== id ? undefined : { what: change.what, book };
  });
}

export function librarySubgraph(shelfOf: (id: string) => number = Number): BuiltSubgraph {
  return buildSubgraph({
    name: 'library',
    resolvers: [new BookResolver(shelfOf)],
    orphanedTypes: [Film],
    references: {
      Book: {
        access: 'anyone',
        resolve: (_context, { id }) => {
          if (id === 'lost') throw new ApiError('CONFLICT', { message: 'Nobody finds it' });
          return books.find((book) => book.id === id) ?? null;
        },
      },
      Film: { access: 'anyone', resolve: (_context, { id }) => films.find((film) => film.id === id) ?? null },
    },
  });
}
