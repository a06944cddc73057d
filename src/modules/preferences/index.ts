// What others may use of preferences; nothing else is imported from outside.
export { marketingFooter } from './footer'
export { type OptOut, optedOut } from './hooks'
export { acceptedLanguages, languageCodes, pickLocale } from './language'
export { type ListLink, queryOf, readLink } from './link'
export type { Locale } from './locale'
export { renderBroken, renderInvalid } from './page'
export { preferencesRoutes } from './routes'
export { findRecipient, type PreferencesRecipient } from './service'
