import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Makes one part of a valid request wrong. Returns false if the request does not have that part. */
export type Twist = (request: FuzzRequest, random: Random, world: World, tenant: Tenant) => boolean | void;
