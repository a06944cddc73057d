// What others may use of erasure; nothing else is imported from outside.
export { eraseAddress } from './service'
