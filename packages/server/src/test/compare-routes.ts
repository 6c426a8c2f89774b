/** A method and a path, such as `GET /v1/users/{id}`. */
export type RouteName = string;

/** Routes that are served but not described, and the reverse; `exceptions` need no description. */
export function compareRoutes(routes: {
  served: Iterable<RouteName>;
  described: Iterable<RouteName>;
  exceptions: Iterable<RouteName>;
}): { missingInSpec: RouteName[]; unserved: RouteName[]; needless: RouteName[] } {
  const served = new Set(routes.served);
  const described = new Set(routes.described);
  const exceptions = new Set(routes.exceptions);
  return {
    missingInSpec: [...served].filter((route) => !described.has(route) && !exceptions.has(route)).sort(),
    unserved: [...described].filter((route) => !served.has(route)).sort(),
    needless: [...exceptions].filter((route) => !served.has(route) || described.has(route)).sort(),
  };
}
