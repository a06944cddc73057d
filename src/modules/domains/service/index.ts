// Use cases of sender domains, by noun.
export { addDomain, addSandboxDomain, deleteDomain, dropStaleClaims, listDomains } from './claims'
export * from './inspection'
export { releaseDomain, releaseLater } from './provider'
export { type DkimKey, dkimKeyFor, requireVerifiedSender } from './senders'
export { checkDomains, verifyDomain } from './verification'
