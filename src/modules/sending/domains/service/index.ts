// Use cases of sender domains, by noun.
export {
  addDomain,
  addSandboxDomain,
  deleteDomain,
  dropDomainsOf,
  dropStaleClaims,
  listDomains,
} from './claims'
export { healthOfDomain } from './health'
export * from './inspection'
export { releaseDomain } from './provider'
export { cancelRotation, chooseSigner, prunePreviousKeys, rotateKey, signingKeys } from './rotation'
export { type DkimKey, dkimKeyFor, requireVerifiedSender, senderKeyOf } from './senders'
export { checkDomains, verifyDomain } from './verification'
export * from './warm-up'
export * from './warm-up-days'
