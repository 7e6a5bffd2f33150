import { createRoute, redirect } from '@tanstack/react-router';
import type { Texts } from './language.js';
import { lazyScreen, type Screen } from './lazy-screen.js';
import { insideRoute } from './root.js';

/** Returns what the routes of an area are made of: their parent, which loads the texts, the bare address, which leads to the home, and screens. */
export function areaRoutes<Area extends string>(area: Area, texts: Pick<Texts<unknown>, 'load'>) {
  const parent = createRoute({ getParentRoute: () => insideRoute, path: area, loader: () => texts.load() });
  const toHome = () => {
    throw redirect({ to: '/' });
  };
  return {
    parent,
    home: createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toHome }),
    /** @param validateSearch returns the parameters of an address that the screen reads */
    screen: <Path extends string, Name extends string>(
      path: Path,
      load: Screen<Name>[0],
      name: Name,
      validateSearch: (search: Readonly<Record<string, unknown>>) => object = () => ({}),
    ) => createRoute({ getParentRoute: () => parent, path, validateSearch, component: lazyScreen(load, name) }),
  };
}
