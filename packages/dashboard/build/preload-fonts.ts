import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Preloads fonts together with the script, so that text is painted once. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const fonts = Object.keys(bundle ?? {}).filter((file) => file.endsWith('.woff2'));
        return fonts.map((file): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            href: `/dashboard/${file}`,
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
          },
          injectTo: 'head-prepend',
        }));
      },
    },
  };
}
