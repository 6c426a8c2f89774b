import type { Plant } from '../scenario.ts';

const frame = 'packages/server/src/http/frame';

export const plants: readonly Plant[] = [
  {
    name: 'sockets-late-secret',
    title: 'the secret of a push URL is checked after the body',
    patches: [
      {
        file: 'packages/server/src/http/pushes/install-pushes.ts',
        find: 'onRequest: async (request) => {',
        replace: 'preHandler: async (request) => {',
      },
    ],
  },
  {
    name: 'sockets-early-slot',
    title: 'a request has a slot while its body arrives',
    patches: [
      {
        file: `${frame}/request-limits.ts`,
        find: '    slots.return(request);\n    request.incomingBody',
        replace: '    request.incomingBody',
      },
    ],
  },
  {
    name: 'sockets-no-memory-bound',
    title: 'request bodies may use any amount of memory',
    patches: [
      {
        file: `${frame}/request-bodies.ts`,
        find: 'if (this.#heldBytes > this.#limits.mostBytes)',
        replace: 'if (this.#heldBytes < 0)',
      },
      {
        file: `${frame}/request-bodies.ts`,
        find: 'else if (this.#heldByAddress.get(body.address)! > this.#limits.mostBytesPerAddress)',
        replace: 'else if (this.#heldBytes < 0)',
      },
    ],
  },
];
