// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "erc721a/contracts/extensions/ERC721ABurnable.sol";

/// A series of the tests: mints a batch by ERC-2309 when it is deployed, and more for whoever asks.
contract TrancheToken is ERC721ABurnable {
    constructor(string memory name, string memory symbol, uint256 batch) ERC721A(name, symbol) {
        for (uint256 left = batch; left > 0; ) {
            // The most that ERC721A lets one event have.
            uint256 some = left < 5000 ? left : 5000;
            _mintERC2309(msg.sender, some);
            left -= some;
        }
    }

    function mint(address to, uint256 quantity) external {
        _mint(to, quantity);
    }
}
