/** The stable id of every cloud device: there is one per user and provider. */
export const cloudDevice = 'cloud';
