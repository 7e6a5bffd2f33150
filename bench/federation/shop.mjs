// The four subgraphs that benchmarks of federated gateways usually serve (users, products, reviews, inventory), with data of our own. Resolvers only
// read memory: what is measured is the gateway.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const userIds = Array.from({ length: 6 }, (_, at) => String(at + 1));
const upcs = Array.from({ length: 9 }, (_, at) => `p-${at + 1}`);

const users = new Map(
  userIds.map((id) => [id, { id, name: `Reviewer ${id}`, username: `reviewer-${id}`, birthday: 1980 + Number(id) }]),
);
const products = new Map(
  upcs.map((upc, at) => [upc, { upc, name: `Article ${at + 1}`, price: at * 137 + 40, weight: at * 90 + 25 }]),
);
const inStock = new Map(upcs.map((upc, at) => [upc, at % 3 !== 2]));
/** Four reviews by each user, of different products: each object comes in many places of the response. */
const reviews = userIds.flatMap((author, at) =>
  [0, 1, 2, 3].map((turn) => ({
    id: `r-${author}-${turn}`,
    body: `What I think of it, in ${at + turn + 3} words: "good enough" & more`,
    author,
    product: upcs[(at * 2 + turn * 5) % upcs.length],
  })),
);

const userOf = (id) => ({ __typename: 'User', id, username: users.get(id)?.username });
const productOf = (upc) => ({ __typename: 'Product', upc });

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3",
  import: ["@key", "@external", "@provides", "@requires", "@shareable"])`;

const parts = {
  users: {
    sdl: `${link}
      type User @key(fields: "id") { id: ID! name: String username: String @shareable birthday: Int }
      type Query { me: User user(id: ID!): User users: [User] }`,
    resolvers: {
      User: { __resolveReference: ({ id }) => users.get(id) },
      Query: { me: () => users.get('1'), user: (_root, { id }) => users.get(id), users: () => [...users.values()] },
    },
  },
  products: {
    sdl: `${link}
      type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }
      type Query { topProducts(first: Int = 5): [Product] }`,
    resolvers: {
      Product: { __resolveReference: ({ upc }) => products.get(upc) },
      Query: { topProducts: (_root, { first }) => [...products.values()].slice(0, first) },
    },
  },
  reviews: {
    sdl: `${link}
      type Review @key(fields: "id") { id: ID! body: String author: User @provides(fields: "username") product: Product }
      type User @key(fields: "id") { id: ID! username: String @external numberOfReviews: Int reviews: [Review] }
      type Product @key(fields: "upc") { upc: String! reviews: [Review] }
      type Query { review(id: ID!): Review }`,
    resolvers: {
      Review: {
        __resolveReference: ({ id }) => reviews.find((review) => review.id === id),
        author: ({ author }) => userOf(author),
        product: ({ product }) => productOf(product),
      },
      User: {
        __resolveReference: ({ id }) => userOf(id),
        numberOfReviews: ({ id }) => reviews.filter(({ author }) => author === id).length,
        reviews: ({ id }) => reviews.filter(({ author }) => author === id),
      },
      Product: {
        __resolveReference: ({ upc }) => productOf(upc),
        reviews: ({ upc }) => reviews.filter(({ product }) => product === upc),
      },
      Query: { review: (_root, { id }) => reviews.find((review) => review.id === id) },
    },
  },
  inventory: {
    sdl: `${link}
      type Product @key(fields: "upc") {
        upc: String! weight: Int @external price: Int @external inStock: Boolean
        shippingEstimate: Int @requires(fields: "price weight")
      }
      type Query { stocked: Int }`,
    resolvers: {
      Product: {
        __resolveReference: (reference) => reference,
        inStock: ({ upc }) => inStock.get(upc),
        shippingEstimate: ({ price, weight }) => (price > 1000 ? 0 : Math.round(weight / 2)),
      },
      Query: { stocked: () => [...inStock.values()].filter(Boolean).length },
    },
  },
};

export const subgraphNames = Object.keys(parts);

/** Returns the subgraphs, each with its SDL and its executable schema. */
export function shopSubgraphs() {
  return Object.entries(parts).map(([name, { sdl, resolvers }]) => {
    const typeDefs = parse(sdl);
    return { name, sdl, schema: buildSubgraphSchema({ typeDefs, resolvers }) };
  });
}

/** The query of those benchmarks: users and products, and below them reviews, authors and products again, five levels deep. */
export const shopQuery = `
  fragment User on User { id username name }
  fragment Review on Review { id body }
  fragment Product on Product { inStock name price shippingEstimate upc weight }
  query Shop {
    users {
      ...User
      reviews {
        ...Review
        product {
          ...Product
          reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } }
        }
      }
    }
    topProducts {
      ...Product
      reviews { ...Review author { ...User reviews { ...Review product { ...Product } } } }
    }
  }`;
