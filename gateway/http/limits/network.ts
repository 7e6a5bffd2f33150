export { networkOf, trustOf, type Trust } from '../../../shared/kernel/network.js';
