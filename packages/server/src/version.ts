import packageJson from '../package.json' with { type: 'json' };

/** The version of the service, as in its package. */
export const { version } = packageJson;
